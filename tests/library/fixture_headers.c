// Reads public headers and says which of their names have no comment: scripts/check-headers runs it.
//
//     fixture_headers FILE...              "file:line: what NAME has no comment" for each; exit 1 when there is one
//     fixture_headers --functions FILE...  the functions they declare, one a line
//
// A function, type, enumerator, field or macro is documented by a comment that ends on the line above it, or stands
// beside it. Names outside of structs begin with cg_ or CG_. In a .def file (a table of macro calls) the text is the
// last argument of each call with more than one. A tokenizer and the little of C's grammar that headers need; no
// preprocessing.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 63, NO_LINE = 0 };

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    char text[MAX_NAME + 1]; // cut when longer
    int line;
} token;

// What a line holds besides code.
typedef struct line_note {
    bool comment_alone;  // a comment that belongs to what follows
    bool comment_beside; // a comment that belongs to the code before it on the line, or goes on from such a one
    long column;         // of that comment
    bool code;
} line_note;

typedef struct reader {
    const char *file, *text;
    size_t at;
    int line, line_count;
    line_note *notes; // [line_count + 2]
    token now;        // the token under consideration
    bool list_functions;
    int faults;
} reader;

static void complain(reader *r, int line, const char *kind, const char *name, const char *fault)
{
    r->faults++;
    if (!r->list_functions) {
        printf("%s:%d: %s %s %s\n", r->file, line, kind, name, fault);
    }
}

static bool is_documented(const reader *r, int first, int last)
{
    for (int line = first; line <= last; line++) {
        if (r->notes[line].comment_beside) {
            return true;
        }
    }
    return first > 1 && r->notes[first - 1].comment_alone;
}

static void judge(reader *r, const char *kind, const char *name, int first, int last)
{
    if (!is_documented(r, first, last)) {
        complain(r, first, kind, name, "has no comment");
    }
    if (strcmp(kind, "field") != 0 && strncmp(name, "cg_", 3) != 0 && strncmp(name, "CG_", 3) != 0) {
        complain(r, first, kind, name, "does not begin with cg_");
    }
    if (r->list_functions && strcmp(kind, "function") == 0) {
        puts(name);
    }
}

// ---- tokens ----

static void step_over(reader *r, size_t count)
{
    for (size_t i = 0; i < count && r->text[r->at]; i++) {
        r->line += r->text[r->at++] == '\n';
    }
}

// A whole comment; notes on each of its lines whether it stands alone there.
static void skip_comment(reader *r)
{
    bool block = r->text[r->at + 1] == '*';
    const char *from = r->text + r->at, *end = block ? strstr(from + 2, "*/") : strchr(from, '\n');
    size_t length = end ? (size_t)(end - from) + (block ? 2 : 0) : strlen(from);
    line_note *first = &r->notes[r->line];
    const char *line_start = from;
    while (line_start > r->text && line_start[-1] != '\n') {
        line_start--;
    }
    bool goes_on = r->line > 1 && first[-1].comment_beside && first[-1].column == from - line_start;
    bool beside = first->code || goes_on;
    first->column = from - line_start;
    int first_line = r->line;
    step_over(r, length);
    for (int line = first_line; line <= r->line; line++) {
        r->notes[line].comment_beside |= beside;
        r->notes[line].comment_alone |= !beside;
    }
}

// True when the preprocessor line at `from` is about `directive`; the word behind it goes to `name`.
static bool is_directive(const char *from, const char *directive, char name[MAX_NAME + 1])
{
    from += 1 + strspn(from + 1, " \t");
    size_t length = strlen(directive);
    if (strncmp(from, directive, length) != 0 || !strchr(" \t", from[length])) {
        return false;
    }
    from += length + strspn(from + length, " \t");
    size_t count = 0;
    while ((isalnum((unsigned char)from[count]) || from[count] == '_') && count < MAX_NAME) {
        name[count] = from[count];
        count++;
    }
    name[count] = '\0';
    return true;
}

// A macro that ends again in the same file is a tool of the header, not a name it gives.
static bool is_undefined_later(const char *from, const char *name)
{
    char other[MAX_NAME + 1];
    for (const char *at = strstr(from, "\n#"); at; at = strstr(at + 1, "\n#")) {
        if (is_directive(at + 1, "undef", other) && strcmp(name, other) == 0) {
            return true;
        }
    }
    return false;
}

static void skip_directive(reader *r)
{
    const char *from = r->text + r->at;
    int first = r->line;
    char name[MAX_NAME + 1];
    while (r->text[r->at] && r->text[r->at] != '\n') {
        if (strncmp(r->text + r->at, "//", 2) == 0 || strncmp(r->text + r->at, "/*", 2) == 0) {
            r->notes[r->line].code = true;
            skip_comment(r);
        } else {
            step_over(r, r->text[r->at] == '\\' ? 2 : 1);
        }
    }
    if (is_directive(from, "define", name)) {
        size_t length = strlen(name);
        bool guard = length > 2 && strcmp(name + length - 2, "_H") == 0;
        if (!guard && !is_undefined_later(from, name)) {
            judge(r, "macro", name, first, r->line);
        }
    }
}

// The next token into r->now; comments and preprocessor lines are noted and passed over.
static void advance(reader *r)
{
    for (;;) {
        const char *at = r->text + r->at;
        if (isspace((unsigned char)*at)) {
            step_over(r, 1);
        } else if (strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0) {
            skip_comment(r);
        } else if (*at == '#') {
            skip_directive(r);
        } else {
            break;
        }
    }
    const char *from = r->text + r->at;
    size_t length = *from ? 1 : 0;
    token *now = &r->now;
    *now = (token){.kind = *from ? TOKEN_SIGN : TOKEN_END, .line = r->line};
    if (isalnum((unsigned char)*from) || *from == '_') {
        now->kind = TOKEN_WORD;
        while (isalnum((unsigned char)from[length]) || from[length] == '_') {
            length++;
        }
    } else if (*from == '"') {
        now->kind = TOKEN_STRING;
        while (from[length] && from[length] != '"' && from[length] != '\n') {
            length += from[length] == '\\' && from[length + 1] ? 2 : 1;
        }
        length += from[length] == '"';
    }
    memcpy(now->text, from, length < MAX_NAME ? length : MAX_NAME);
    r->notes[r->line].code |= length > 0;
    step_over(r, length);
}

static bool is(const reader *r, const char *text)
{
    return r->now.kind != TOKEN_END && strcmp(r->now.text, text) == 0;
}

// ---- grammar ----

// From an opening bracket to behind its partner.
static void skip_brackets(reader *r)
{
    int depth = 0;
    do {
        depth += is(r, "(") || is(r, "{") || is(r, "[");
        depth -= is(r, ")") || is(r, "}") || is(r, "]");
        advance(r);
    } while (depth > 0 && r->now.kind != TOKEN_END);
}

static void read_enumerators(reader *r)
{
    advance(r);
    while (!is(r, "}") && r->now.kind != TOKEN_END) {
        token name = r->now;
        while (!is(r, ",") && !is(r, "}") && r->now.kind != TOKEN_END) {
            advance(r);
        }
        int last = is(r, ",") ? r->now.line : name.line;
        if (is(r, ",")) {
            advance(r);
        }
        judge(r, "enumerator", name.text, name.line, last);
    }
    advance(r);
}

static void read_declaration(reader *r, bool in_struct);

static void read_fields(reader *r)
{
    advance(r);
    while (!is(r, "}") && r->now.kind != TOKEN_END) {
        read_declaration(r, true);
    }
    advance(r);
}

enum { MAX_NAMES = 16 };

typedef struct declaration {
    bool in_struct, is_typedef, is_function, has_body;
    token name; // the last word that may be the declared name
    token names[MAX_NAMES];
    int name_count;
    int first;
} declaration;

static void note_name(declaration *d)
{
    if (d->name.kind == TOKEN_WORD && d->name_count < MAX_NAMES) {
        d->names[d->name_count++] = d->name;
    }
}

// Judges all names of a declaration that ended on the line `last`. The token behind it has been read already, so the
// comment beside its end is known.
static void end_declaration(reader *r, const declaration *d, int last)
{
    const char *kind = d->in_struct ? "field" : d->is_typedef ? "type" : d->is_function ? "function" : "variable";
    for (int i = 0; i < d->name_count; i++) {
        int first = d->in_struct && d->has_body ? d->names[i].line : d->first;
        judge(r, kind, d->names[i].text, first, first > last ? first : last);
    }
}

// struct NAME { ... }, enum NAME { ... }: the tag is a type of its own, documented where it opens.
static void read_composite(reader *r, declaration *d)
{
    bool is_enum = is(r, "enum");
    advance(r);
    token tag = r->now;
    if (tag.kind == TOKEN_WORD) {
        advance(r);
        d->name = tag; // "struct tag;" and, when nothing else follows, "struct tag { ... };"
    }
    if (!is(r, "{")) {
        return;
    }
    if (tag.kind == TOKEN_WORD && !d->is_typedef) {
        judge(r, "type", tag.text, d->first, tag.line);
    }
    d->name.kind = TOKEN_END;
    d->has_body = true;
    is_enum ? read_enumerators(r) : read_fields(r);
}

// Brackets after a name are a function's parameters; with a star behind the bracket they hold a pointer's own name.
static void read_bracket(reader *r, declaration *d)
{
    advance(r);
    if (is(r, "*")) {
        advance(r);
        d->name = r->now;
        while (!is(r, ")") && r->now.kind != TOKEN_END) {
            advance(r);
        }
        advance(r);
        if (is(r, "(")) {
            skip_brackets(r);
        }
        return;
    }
    d->is_function = true;
    int depth = 1;
    while (depth > 0 && r->now.kind != TOKEN_END) {
        depth += is(r, "(") - is(r, ")");
        advance(r);
    }
}

static void read_declaration(reader *r, bool in_struct)
{
    declaration d = {.first = r->now.line, .in_struct = in_struct};
    while (r->now.kind != TOKEN_END && !is(r, "}")) {
        int line = r->now.line;
        if (is(r, "struct") || is(r, "union") || is(r, "enum")) {
            read_composite(r, &d);
        } else if (is(r, "(")) {
            read_bracket(r, &d);
        } else if (is(r, "[") || is(r, "{")) {
            bool body = is(r, "{");
            skip_brackets(r);
            if (body && d.is_function) {
                note_name(&d);
                end_declaration(r, &d, line);
                return;
            }
        } else if (is(r, ",") || is(r, ";")) {
            bool last = is(r, ";");
            note_name(&d);
            advance(r);
            if (last) {
                end_declaration(r, &d, line);
                return;
            }
        } else {
            d.is_typedef |= is(r, "typedef");
            if (r->now.kind == TOKEN_WORD && !isdigit((unsigned char)r->now.text[0])) {
                d.name = r->now;
            }
            advance(r);
        }
    }
}

static void read_header(reader *r)
{
    advance(r);
    while (r->now.kind != TOKEN_END) {
        if (is(r, "extern")) {
            advance(r);
            if (r->now.kind == TOKEN_STRING) {
                advance(r);
                if (is(r, "{")) {
                    advance(r);
                }
            }
        } else if (is(r, "CG_API_BEGIN") || is(r, "CG_API_END") || is(r, "}") || is(r, ";")) {
            advance(r);
        } else {
            read_declaration(r, false);
        }
    }
}

static void read_table(reader *r)
{
    advance(r);
    while (r->now.kind != TOKEN_END) {
        token name = r->now, last = {0};
        int arguments = 1;
        while (!is(r, ")") && r->now.kind != TOKEN_END) {
            last = r->now;
            arguments += is(r, ",");
            advance(r);
        }
        advance(r);
        bool has_text = last.kind == TOKEN_STRING && strlen(last.text) > 2;
        if (arguments > 1 && !has_text) {
            complain(r, name.line, "entry", name.text, "has no text");
        }
    }
}

// ---- files ----

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    for (size_t got; text && (got = fread(text + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room) {
            room *= 2;
            text = realloc(text, room + 1);
        }
    }
    if (!text) {
        abort();
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

static int check_file(const char *path, bool list_functions)
{
    char *text = read_file(path);
    int lines = 1;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    reader r = {.file = path, .text = text, .line = 1, .line_count = lines, .list_functions = list_functions};
    r.notes = calloc((size_t)lines + 2, sizeof *r.notes);
    if (!r.notes) {
        abort();
    }
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".def") == 0) {
        read_table(&r);
    } else {
        read_header(&r);
    }
    free(r.notes);
    free(text);
    return r.faults;
}

int main(int argc, char **argv)
{
    bool list_functions = argc > 1 && strcmp(argv[1], "--functions") == 0;
    int faults = 0;
    for (int i = list_functions ? 2 : 1; i < argc; i++) {
        faults += check_file(argv[i], list_functions);
    }
    return faults > 0 && !list_functions;
}
