// Broken mesh files. @ marks the place that the error must name (and is not part of the file; without one it is the
// beginning), `part` is in its sentence.
#ifndef CATGUT_TESTS_GEOMETRY_BROKEN_SURFACES_H
#define CATGUT_TESTS_GEOMETRY_BROKEN_SURFACES_H

#include "catgut/surface.h"

typedef struct broken_surface {
    cg_surface_format format;
    const char *text, *part;
} broken_surface;

#define O(text, part)                                                                                                  \
    {                                                                                                                  \
        CG_SURFACE_OBJ, text, part                                                                                     \
    }
#define S(text, part)                                                                                                  \
    {                                                                                                                  \
        CG_SURFACE_STL, text, part                                                                                     \
    }
#define V1(text, part)                                                                                                 \
    {                                                                                                                  \
        CG_SURFACE_VRML, "#VRML V1.0 ascii\n" text, part                                                               \
    }
#define V2(text, part)                                                                                                 \
    {                                                                                                                  \
        CG_SURFACE_VRML, "#VRML V2.0 utf8\n" text, part                                                                \
    }
#define TRI "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define LOOP "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
#define P3 "point [ 0 0 0, 1 0 0, 0 1 0 ]"
#define FACES1(points, faces)                                                                                          \
    "Separator {\nCoordinate3 { " points " }\nIndexedFaceSet { coordIndex [ " faces " ] }\n}\n"
#define FACES2(points, faces)                                                                                          \
    "Shape {\ngeometry IndexedFaceSet { coord Coordinate { " points " }\ncoordIndex [ " faces " ] } }\n"

// clang-format off
static const broken_surface broken_surfaces[] = {
    // OBJ
    O("", "no face"),
    O("\n\n# nothing\n", "no face"),
    O(TRI, "no face"),
    O("v 0 0\nf 1 1 1", ""),
    O("v 0 0@\n", "found the end; expected a coordinate: v x y z"),
    O("v@", "expected a coordinate"),
    O("v 0 @x 0\n", "found \"x\"; expected a coordinate"),
    O("v 0 0 @1e\n", "found \"1e\""),
    O("v 0 0 @--1\n", "found \"--1\""),
    O("v 0 0 @.\n", "found \".\""),
    O("v 0 0 @1.2.3\n", "found \"1.2.3\""),
    O("v 0 0 @0x10\n", "found \"0x10\""),
    O("v 0 0 @nan\n", "found \"nan\""),
    O("v 0 0 @inf\n", "found \"inf\""),
    O("v 0 0 @1e999\n", "below 1e308"),
    O("v 0 0 @1,5\n", "found \"1,5\""),
    O("v @1e300 0 0\n", "found a point at (1e+300"),
    O("v @0 -1e7 0\n", "expected numbers up to"),
    O(TRI "@f 1 2\n", "found a face of 2 corners; expected 3"),
    O(TRI "@f 1\n", "found a face of 1 corner;"),
    O(TRI "  @f\n", "found a face of 0 corners"),
    O(TRI "f 1 2 @4\n", "found point 4; expected 1 to 3"),
    O(TRI "f 1 2 @0\n", "found point 0"),
    O(TRI "f 1 2 @-4\n", "found point -4"),
    O("f @1 2 3\n" TRI, "found point 1; expected 1 to 0"),
    O(TRI "f 1 @a 3\n", "found \"a\"; expected the number of a point"),
    O(TRI "f 1 @/2 3\n", "found \"/2\""),
    O(TRI "f 1 @1.5 3\n", "found \"1.5\""),
    O(TRI "f 1 @99999999999 3\n", "found \"99999999999\""),
    O(TRI "f 1 @9999999999999999999 3\n", "found \"9999999999999999999\""),
    O(TRI "f 1 @2e0 3\n", "found \"2e0\""),
    O(TRI "@fn 1 2 3\n", "found \"fn\"; expected a statement of OBJ"),
    O(TRI "@vertex 1 2 3\n", "found \"vertex\""),
    O(TRI "@usemlt red\nf 1 2 3\n", "did you mean \"usemtl\"?"),
    O("@solid a\n", "found \"solid\""),
    O("@<html>\n", "found \"<html>\""),
    O("@{\"threads\": []}\n", "expected a statement of OBJ"),
    O("@\x7f\x45LF\x02\n", "expected a statement of OBJ"),
    O(TRI "f 1 2 3\n@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", "xxx...\"; expected"),
    O("v 0 0 0\nf 1 1 1\n", "found only faces without area"),
    O(TRI "f 1 2 2\nf 3 3 1\n", "found only faces without area"),
    O("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "found only faces without area"),
    O("v 0 0 0 \\\n  0\n@q\n", "found \"q\""),
    O("v 0 0 \\\n  @y\n", "found \"y\""),
    O(TRI "f 1 2 \\\n@7", "found point 7"),
    O("v 0 0\\\n@", "found the end"),
    // STL
    S("", "found the end; expected \"solid\""),
    S("   \n@", "found the end; expected \"solid\""),
    S("@sold a\n", "found \"sold\"; expected \"solid\""),
    S("@v 0 0 0\n", "found \"v\"; expected \"solid\", or a binary file of 84 bytes"),
    S("solid a@", "expected \"facet\" or \"endsolid\""),
    S("solid a\nendsolid a\n", "no face"),
    S("solid a\n@face normal 0 0 1\n", "found \"face\"; expected \"facet\""),
    S("solid a\nfacet @norml 0 0 1\n", "found \"norml\"; expected \"normal\""),
    S("solid a\nfacet normal 0 0@", "found the end; expected a normal"),
    S("solid a\nfacet normal 0 0 @outer loop\n", "found \"outer\"; expected a normal of three numbers"),
    S("solid a\nfacet normal 0 0 1\n@loop\n", "found \"loop\"; expected \"outer\""),
    S("solid a\nfacet normal 0 0 1\nouter @vertex 0 0 0\n", "found \"vertex\"; expected \"loop\""),
    S("solid a\nfacet normal 0 0 1\nouter loop\n@endloop\n", "expected \"vertex\""),
    S("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 @vertex", "found \"vertex\"; expected a coordinate"),
    S("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 @nan 0", "found \"nan\""),
    S("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0@", "found the end; expected a coordinate"),
    S("solid a\nfacet normal 0 0 1\nouter loop\nvertex@ 0 0 1e9\n", "found a point at"),
    S(LOOP "@vertex 1 1 0\nendloop\nendfacet\nendsolid", "found \"vertex\"; expected \"endloop\""),
    S(LOOP "@endfacet\nendsolid", "expected \"endloop\""),
    S(LOOP "endloop\n@facet", "found \"facet\"; expected \"endfacet\""),
    S(LOOP "endloop\n@", "found the end; expected \"endfacet\""),
    S(LOOP "endloop\nendfacet\n@", "found the end; expected \"facet\" or \"endsolid\""),
    S(LOOP "endloop\nendfacet\n@solid b\n", "found \"solid\"; expected \"facet\" or \"endsolid\""),
    S(LOOP "endloop\nendfacet\nendsolid a\n@facet normal 0 0 1", "found \"facet\"; expected \"solid\" or the end"),
    S("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 1 0\nendloop endfacet endsolid",
        "only faces without area"),
    // VRML, both
    {CG_SURFACE_VRML, "", "expected \"#VRML V1.0 ascii\" or \"#VRML V2.0 utf8\""},
    {CG_SURFACE_VRML, "Shape {}", "found another beginning"},
    {CG_SURFACE_VRML, "#VRML V3.0 utf8\n", "found another beginning"},
    {CG_SURFACE_VRML, "#VRML V2.0", "found another beginning"},
    {CG_SURFACE_VRML, "#X3D V3.0 utf8\n", "found another beginning"},
    {CG_SURFACE_VRML, " #VRML V2.0 utf8\n", "found another beginning"},
    {CG_SURFACE_VRML, "\x1f\x8b\x08", "found a compressed file; expected it unpacked"},
    V2("", "no face"),
    V1("", "no face"),
    V2("Group { children [ Shape { geometry Box {} } ] }", "no face"),
    V2("Group {\n@", "found the end; expected \"}\""),
    V2("Group { children [\n@", "found the end"),
    V2("Group { children [ @}", "found \"}\"; expected \"]\""),
    V2("Group { @]", "found \"]\"; expected \"}\""),
    V2("@}", "found \"}\"; expected a node"),
    V2("@]", "found \"]\"; expected a node"),
    V2("@{ }", "found \"{\"; expected a node"),
    V2("Group { children [ Group { @] } ]", "found \"]\"; expected \"}\""),
    V2("@PROTO A [ ] { }", "found \"PROTO\"; expected nodes without prototypes"),
    V2("@EXTERNPROTO A [ ] \"x\"", "found \"EXTERNPROTO\""),
    V2("DEF @{ }", "found \"{\"; expected a name"),
    V2("DEF @", "found the end; expected a name"),
    V2("DEF A @{ }", "found \"{\"; expected the type of a node"),
    V2("DEF A @", "found the end; expected the type of a node"),
    V2("DEF A Group @children", "found \"children\"; expected \"{\""),
    V2("USE @A", "found \"A\"; expected a name that DEF gave before"),
    V2("USE @[", "found \"[\"; expected a name"),
    V2("DEF B Group {}\nGroup { children [ USE @b ] }", "found \"b\"; expected a name that DEF gave"),
    V2("DEF A Group { children USE A }", "more than 100 deep"),
    V2("Info { string \"no end }\n@", "found the end"),
    V2("Transform { translation 1 2 @}", "found \"}\"; expected a place of three numbers"),
    V2("Transform { translation 1 2 @x }", "found \"x\"; expected a place"),
    V2("Transform { rotation 1 0 0 @}", "found \"}\"; expected a rotation"),
    V2("Transform { scale 1 @children }", "found \"children\"; expected a scale"),
    V2("Transform { scaleOrientation @[ 1 ] }", "expected a rotation"),
    V2("Transform { center 1 2@", "found the end; expected a place"),
    V2("Transform { children [ ] \n@", "found the end; expected \"}\""),
    V2(FACES2(P3, "0 1 @3 -1"), "found point 3; expected 0 to 2"),
    V2(FACES2(P3, "0 1 @x -1"), "found \"x\"; expected the number of a point, -1"),
    V2(FACES2(P3, "0 1 @1.5"), "found \"1.5\""),
    V2(FACES2(P3, "0 1 @-1"), "found a face of 2 corners"),
    V2(FACES2(P3, "0 1 2 -1 0 @-1"), "found a face of 1 corner"),
    V2(FACES2(P3, "0 1 @99999999999"), "found \"99999999999\""),
    V2("Shape { geometry IndexedFaceSet { coord Coordinate { " P3 " } coordIndex [ 0 1 2 {@", "found the end"),
    V2("Shape { geometry IndexedFaceSet { coord Coordinate { " P3 " } coordIndex [ 0 1 2@", "found the end"),
    V2(FACES2("point [ 0 0 0, 1 0 0, 0 1 @]", "0 1 2"), "found \"]\"; expected a point of three numbers"),
    V2(FACES2("point [ 0 0 0, 1 0 0, 0 1 @z ]", "0 1 2"), "found \"z\"; expected a point"),
    V2(FACES2("point [ 0 0 0, 1 0 0, @0 1e30 0 ]", "0 1 2"), "found a point at"),
    V2("Shape { geometry IndexedFaceSet { coord Coordinate { point 0 0 @} coordIndex [ 0 1 2 ] } }",
        "found \"}\"; expected"),
    V2(FACES2("point [ ]", "@0 1 2"), "found point 0; expected 0 to -1"),
    V2(FACES2("", "0 1 2"), "found faces without points; expected a Coordinate in them"),
    V2("Shape { geometry @IndexedFaceSet { coordIndex [ 0 1 2 ] } }", "found faces without points"),
    V2("Shape { geometry @IndexedFaceSet { coord NULL coordIndex [ 0 1 2 ] } }", "found faces without points"),
    V2("Shape { geometry IndexedFaceSet { coord USE @P coordIndex [ 0 1 2 ] } }", "found \"P\"; expected a name"),
    V2("Shape { geometry IndexedFaceSet { coord @[ ] } }", "found \"[\"; expected the type of a node"),
    V2("Shape { geometry IndexedFaceSet @[ ] }", "found \"[\"; expected \"{\""),
    V2(FACES2("point [ 0 0 0, 0 0 0, 0 1 0 ]", "0 1 2"), "only faces without area"),
    V2("Transform { scale 0 0 0 children " FACES2(P3, "0 1 2") "}", "only faces without area"),
    V1("Separator {\n@", "found the end"),
    V1("Separator { Translation { translation 1 2 @} }", "found \"}\"; expected a place"),
    V1("Separator { Rotation { rotation 0 0 1 @} }", "expected a rotation"),
    V1("Separator { Scale { scaleFactor 1 1 @} }", "expected a scale"),
    V1("Separator { MatrixTransform { matrix 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 @} }", "expected a matrix of 16"),
    V1("Separator { @IndexedFaceSet { coordIndex [ 0 1 2 ] } }", "expected a Coordinate3 before them"),
    V1("Separator { Separator { Coordinate3 { " P3 " } }\n@IndexedFaceSet { coordIndex [ 0 1 2 ] } }",
        "found faces without points"),
    V1(FACES1(P3, "0 1 @5"), "found point 5; expected 0 to 2"),
    V1(FACES1(P3, "0, 1, @-1"), "found a face of 2 corners"),
    V1("Separator { IndexedFaceSet @; }", "found \";\"; expected \"{\""),
    V1("Separator { Coordinate3 { point 1 2 @} IndexedFaceSet { coordIndex 3 } }", "expected a point of three numbers"),
    V1("Separator { LOD { Separator { } Separator { @", "found the end"),
    V1(FACES1(P3, "0 1 2 -1 2 1 @7 -1"), "found point 7"),
    V2("Group { children [ Separator @] }", "found \"]\"; expected \"{\""),
    V1(FACES1(P3, "0 1 @]"), "found a face of 2 corners"),
    V1(FACES1("point [ 0 0 @]", "0 1 2"), "expected a point of three numbers"),
    V1(FACES1("point [ @a b c ]", "0 1 2"), "found \"a\""),
    V1("DEF a Separator { " FACES1(P3, "0 1 2") " USE a }", "more than 100 deep"),
    V1("Separator { USE @X }", "expected a name that DEF gave before"),
    V1("Separator { ShapeHints { vertexOrdering @", "found the end"),
    V1("Separator { Coordinate3 @point [ ] }", "found \"point\"; expected \"{\""),
    V1("Separator { @{ } }", "found \"{\""),
};
// clang-format on

#undef O
#undef S
#undef V1
#undef V2

enum { BROKEN_SURFACE_COUNT = sizeof broken_surfaces / sizeof *broken_surfaces };

// The text of one without its mark, into room for 2000 bytes, and where the mark was. Returns its size.
static inline size_t broken_surface_text(const broken_surface *broken, char *into, int *line, int *column)
{
    size_t size = 0;
    *line = *column = 1;
    int at_line = 1, at_column = 1;
    for (const char *c = broken->text; *c != '\0'; c++) {
        if (*c == '@') {
            *line = at_line;
            *column = at_column;
            continue;
        }
        into[size++] = *c;
        at_column = *c == '\n' ? 1 : at_column + 1;
        at_line += *c == '\n';
    }
    return size;
}

#endif
