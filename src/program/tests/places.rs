//! Where a place of the module stands in the model's text.

use super::intake;

/// Reads the rows as the harness does.
fn source_place(rows: &[u32], line: u32, column: u32) -> (u32, u32) {
    let row = rows
        .chunks(4)
        .rfind(|row| (row[0], row[1]) <= (line, column));
    match row {
        Some([at, from, there, source]) if *at == line => (*there, source + column - from),
        Some([at, _, there, _]) => (there + line - at, column),
        _ => (0, 0),
    }
}

/// The mark `@` is put into a program as a name; the module's place of it must lead back.
#[track_caller]
fn check(marked: &str) {
    let code = marked.replace('@', "mark");
    let module = intake(&code).unwrap();
    let rows = &module.positions;
    assert!(
        rows.chunks(4).is_sorted_by(|a, b| a[..2] < b[..2]),
        "{rows:?}"
    );
    let place = |text: &str| {
        let before = &text[..text.find("mark").unwrap()];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().encode_utf16().count() + 1;
        (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
    };
    let (line, column) = place(&module.text);
    assert_eq!(
        source_place(rows, line, column),
        place(&code),
        "{}\n{rows:?}",
        module.text
    );
}

#[test]
fn the_first_line_is_moved_by_what_stands_before_it() {
    check("@()");
    check("  const a = 1; @(a)");
}

#[test]
fn later_lines_stay_where_they_were() {
    check("const a = 1;\nconst b = @;\nb");
    check("async () => {\n  return @;\n};\n");
    check("#!/usr/bin/env node\n@");
}

#[test]
fn a_line_with_additions_is_counted_on_both_sides_of_them() {
    check("if (true) { 1; @ } else 2");
    check("for (const x of [1])\n  if (x) { Math.abs(x), @ }\n  else { 2 }");
    check("try { 1 } catch { 2; @() }");
    check("{ a: @ }");
    check("function () { return @ }");
}

#[test]
fn columns_are_counted_in_utf_16() {
    check("if (true) { '\u{1f600}'; '\u{1f600}'; @ }");
}

#[test]
fn a_program_of_one_function_has_few_rows() {
    let module = intake(&format!("async () => {{\n{}}}", "  foo();\n".repeat(1000))).unwrap();
    assert!(module.positions.len() <= 24, "{:?}", module.positions);
}
