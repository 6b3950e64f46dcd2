// The frame of a public header. What stands between CG_API_BEGIN and CG_API_END has C linkage in C++ too and is
// exported by the shared library; all else in it is hidden. Every header opens it after its includes and closes it at
// its end.
#ifndef CATGUT_API_H
#define CATGUT_API_H

#ifdef __GNUC__
// Names declared from here on are exported. Not to be used alone.
#define CG_API_SHOW _Pragma("GCC visibility push(default)")
// Names declared from here on are as before. Not to be used alone.
#define CG_API_HIDE _Pragma("GCC visibility pop")
#else
// Other compilers export by their own options.
#define CG_API_SHOW
// The other half.
#define CG_API_HIDE
#endif

#ifdef __cplusplus
// Opens the frame.
#define CG_API_BEGIN                                                                                                   \
    extern "C" {                                                                                                       \
    CG_API_SHOW
// Closes the frame.
#define CG_API_END                                                                                                     \
    CG_API_HIDE                                                                                                        \
    }
#else
// Opens the frame.
#define CG_API_BEGIN CG_API_SHOW
// Closes the frame.
#define CG_API_END CG_API_HIDE
#endif

#endif
