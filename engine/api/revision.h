/*
 * Which model this is.  A stored run says by which revision it was made: a
 * replay that comes out differently is a fault if the revisions are the
 * same, and to be expected if they are not.
 */
#ifndef MEMCGLAB_ENGINE_API_REVISION_H
#define MEMCGLAB_ENGINE_API_REVISION_H

/* One more with each change that makes any run end in another state (tests/golden/revision.txt). */
enum { MODEL_REVISION = 2 };

#endif
