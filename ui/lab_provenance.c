/*
 * What a run is made of, into the store: this program, and the libraries
 * that its scenario has required.
 */
#include "lab_core.h"

#include "provenance.h"
#include "revision.h"

enum err lab_libraries(struct db *db, int64_t id, const struct script *script, struct diag *diag)
{
	struct script_library from;
	enum err err = ERR_OK;

	for (size_t i = 0; script_library(script, i, &from) && err == ERR_OK; i++) {
		const struct db_library to = { from.name, from.text };

		err = db_libraries_add(db, id, &to, 1, diag);
	}
	return err;
}

/* Before the first step: a run that is killed can still be made again. */
enum err lab_provenance(struct db *db, int64_t id, const struct script *script, struct diag *diag)
{
	const struct db_program program = { MODEL_REVISION, lab_build() };
	enum err err = db_program_add(db, id, &program, diag);

	return err == ERR_OK ? lab_libraries(db, id, script, diag) : err;
}
