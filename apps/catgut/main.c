#include "app.h"

int main(int argc, char **argv)
{
    int code = cg_app_run(argc, argv, stdout, stderr);
    // A full disk or a closed pipe shows only now.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("catgut: could not write the output\n", stderr);
        return code == CG_EXIT_DONE ? CG_EXIT_BAD_RESULT : code;
    }
    return code;
}
