//! Arbitrary texts and real programs with a change in them: none panics, and what is accepted is one exported function.

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{cases, intake};

/// Pieces that mean most where they are not expected.
pub(super) const PIECES: [&str; 72] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "`",
    "${",
    "'",
    "\"",
    "/",
    "*/",
    "/*",
    "//",
    "\n",
    ";",
    ",",
    ":",
    "?",
    "=>",
    "=",
    "!",
    "<!--",
    "-->",
    "#!",
    "\\u0061",
    "\u{2028}",
    "\u{feff}",
    "\u{1f600}",
    "import('x')",
    "import.meta",
    "export ",
    "export default ",
    "async ",
    "await ",
    "yield ",
    "return ",
    "function ",
    "class ",
    "'use strict'",
    "})()",
    "}\n}",
    "@",
    "...",
    ": number",
    " as any",
    "!",
    "<T>",
    "satisfies A",
    "enum E { A }",
    "interface A {}",
    "type A = ",
    "private ",
    "declare ",
    "abstract ",
    "namespace N {}",
    "?: string",
    "implements A",
    "\n```\n",
    "\n```js\n",
    "```",
    "~~~\n",
    "<code>",
    "</code>",
    "\\n",
    "\\\"",
    "\r\n",
    "module.exports = ",
    "require('x')",
    "left$",
    "while (a) ",
    "try {} catch {} finally {}",
];

fn program() -> impl Strategy<Value = String> {
    select(cases()).prop_map(|(_, code, _)| code)
}

pub(super) fn check(code: &str) -> Result<(), TestCaseError> {
    let module = match intake(code) {
        Ok(module) => module,
        Err(error) => {
            prop_assert!(!error.text.is_empty());
            return Ok(());
        }
    };
    let allocator = Allocator::default();
    // With the parser's own settings: no `return` outside functions.
    let read = Parser::new(&allocator, &module.text, SourceType::mjs()).parse();
    prop_assert!(!read.diagnostics.has_errors(), "{}", module.text);
    prop_assert_eq!(read.program.body.len(), 1, "{}", module.text);
    let begins = module.text.starts_with("export default async (input$");
    prop_assert!(begins, "{}", module.text);
    prop_assert_eq!(read.module_record.local_export_entries.len(), 1);
    prop_assert!(
        read.module_record.requested_modules.is_empty(),
        "{}",
        module.text
    );
    prop_assert!(
        read.module_record.dynamic_imports.is_empty(),
        "{}",
        module.text
    );
    prop_assert!(
        read.module_record.import_metas.is_empty(),
        "{}",
        module.text
    );
    prop_assert_eq!(module.positions.len() % 4, 0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(code in "\\PC{0,80}") {
        check(&code)?;
    }

    #[test]
    fn any_pieces_are_answered(pieces in prop::collection::vec(select(PIECES.to_vec()), 0..30)) {
        check(&pieces.concat())?;
        check(&pieces.join("a"))?;
    }

    #[test]
    fn a_program_with_a_piece_put_in_is_answered(code in program(), at in any::<Index>(), piece in select(PIECES.to_vec())) {
        let at = code.floor_char_boundary(at.index(code.len() + 1));
        check(&[&code[..at], piece, &code[at..]].concat())?;
    }

    #[test]
    fn a_program_with_a_part_taken_out_is_answered(code in program(), from in any::<Index>(), to in any::<Index>()) {
        let from = code.floor_char_boundary(from.index(code.len() + 1));
        let to = code.floor_char_boundary(to.index(code.len() + 1));
        let (from, to) = (from.min(to), from.max(to));
        check(&[&code[..from], &code[to..]].concat())?;
    }

    #[test]
    fn two_programs_joined_are_answered(first in program(), second in program(), between in select(PIECES.to_vec())) {
        check(&[&first, between, &second].concat())?;
    }
}
