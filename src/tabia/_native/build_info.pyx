"""What the native extensions were built from."""

cdef extern from *:
    """
    #include <tabia_source_hash.h>
    """
    const char* TABIA_SOURCE_HASH

SOURCE_HASH = TABIA_SOURCE_HASH.decode("ascii")
