//! Size and depth: what is too much is refused with a text, and nothing comes near the end of the stack.

use std::thread;

use super::super::MAX_UNITS;
use super::{intake, refused};
use crate::error::Code;

/// A wasm stack is 1 MB. Unoptimised native frames are several times larger than those of the release wasm, so a test
/// build is given as much more.
const STACK: usize = if cfg!(debug_assertions) {
    8 << 20
} else {
    1 << 20
};

fn on_a_small_stack(check: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

/// Beginning, middle, end: the first and the last are repeated.
const NESTS: [(&str, &str, &str); 52] = [
    ("(", "1", ")"),
    ("[", "", "]"),
    ("x={a:", "1", "}"),
    ("{", "", "}"),
    ("f(", "", ")"),
    ("()=>{", "", "}"),
    ("(a=", "1", ")=>1"),
    ("(a=(", "1", "))"),
    ("async(a=async(", "1", "))"),
    ("function f(){", "", "}"),
    ("`${", "1", "}`"),
    ("x=class{a=", "1", "}"),
    ("x={a(){return ", "1", "}}"),
    ("({a=", "1", "})"),
    ("a[", "1", "]"),
    ("(a||b&&c|d^e&f==g<h<<i+j*", "1", ")"),
    ("x=class extends a{a=b||b&&c|d^e&f==g<h<<i+j*", "1", "}"),
    (
        "async()=>{for await(let [x] of y)try{if(a)for(;;)switch(x){case 1:return f(g[{a:",
        "1",
        "}])}}finally{}}",
    ),
    ("/(", "", ")/"),
    ("!", "1", ""),
    ("- ", "1", ""),
    ("typeof ", "1", ""),
    ("await ", "1", ""),
    ("await\n", "1", ""),
    ("new ", "a", ""),
    ("new\n", "a", ""),
    ("a=>", "1", ""),
    ("async a=>", "1", ""),
    ("a=", "1", ""),
    ("a?b:", "1", ""),
    ("a?", "1", ":b"),
    ("a**", "1", ""),
    ("if(a)", ";", ""),
    ("if(a);else ", ";", ""),
    ("if(a)b,c;else ", ";", ""),
    ("if(a){}else ", ";", ""),
    ("for(;;)", ";", ""),
    ("while(a)", ";", ""),
    ("do ", ";", "while(0);"),
    ("class a extends ", "b", "{}"),
    ("@", "class A{}", ""),
    ("try{", "", "}catch{}"),
    ("switch(a){case 1:", "", "}"),
    ("a+", "1", ""),
    ("a??", "1", ""),
    ("a=>a+", "1", ""),
    ("", "a", ".b"),
    ("", "a", "()"),
    ("", "a", "?.[0]"),
    ("", "a", "``"),
    // Closing brackets that are none.
    ("(/*)*/", "1", ")"),
    ("(')',/)/,`)`,", "1", ")"),
];

/// What stands before, and then as above: what only TypeScript has.
const TYPES: [(&str, &str, &str, &str); 24] = [
    ("let x:", "A<", "B", ">"),
    ("let x:", "(", "B", ")"),
    ("let x:", "[", "B", "]"),
    ("let x:", "{a:", "B", "}"),
    ("let x:", "(a:", "B", ")=>C"),
    ("let x:", "()=>", "B", ""),
    ("let x:", "new()=>", "B", ""),
    ("let x:", "keyof ", "B", ""),
    ("let x:", "readonly ", "B[]", ""),
    ("let x:", "A extends B?C:", "D", ""),
    ("let x:", "A extends ", "B", "?C:D"),
    ("let x:", "`${", "B", "}`"),
    ("let x:", "{[K in ", "B", "]:C}"),
    ("let x:", "A|(B&", "C", ")"),
    ("let x:", "<T extends ", "B", ">()=>C"),
    ("let x:", "typeof a<", "B", ">"),
    ("let x:", "asserts ", "B", ""),
    ("", "namespace a{", "", "}"),
    ("namespace ", "a.", "b{}", ""),
    ("let x: A;", "<T>(a:T=", "1", ")=>1"),
    ("", "<A>", "x", ""),
    ("", "f<A>(", "1", ")"),
    ("let x: A; x", " as A", "", ""),
    ("let x: A; x", "!", "", ""),
];

#[test]
fn no_depth_of_types_exhausts_the_stack() {
    on_a_small_stack(|| {
        for (before, begin, middle, end) in TYPES {
            for times in [150, 333, 950, 100_000] {
                let nest = [&begin.repeat(times), middle, &end.repeat(times)].concat();
                for code in [
                    format!("{before}{nest}"),
                    format!("{{}}/1/g;{before}{nest}"),
                    format!("```ts\n{before}{nest}\n```"),
                ] {
                    if let Err(error) = intake(&code) {
                        let codes = [Code::InvalidInput, Code::Syntax, Code::TooLarge];
                        assert!(codes.contains(&error.code), "{error}");
                    }
                }
            }
        }
    });
}

#[test]
fn ordinary_types_are_accepted() {
    on_a_small_stack(|| {
        let long = [
            "interface A { a: Map<string, Array<Set<number>>>; b?: (x: Promise<A>) => void }\n"
                .repeat(2000)
                + "1",
            "var f = <T extends { a: Array<T> }>(x: T): T | undefined => x as unknown as T;\n"
                .repeat(2000),
            format!("let x: {}null;", "'a' | ".repeat(3000)),
            format!("f({})", "<A>b as C, a!, ".repeat(1500)),
            format!("let x: {}A{};", "Array<".repeat(60), ">".repeat(60)),
            format!("let x: number = {}1;", "a < b && c > d || ".repeat(100)),
            format!("enum E {{ {} }}", "A = 1 << 2, ".repeat(100)),
        ];
        for code in long {
            let shown: String = code.chars().take(60).collect();
            assert!(intake(&code).is_ok(), "{shown}: {}", refused(&code));
        }
    });
}

#[test]
fn no_depth_exhausts_the_stack() {
    on_a_small_stack(|| {
        for (begin, middle, end) in NESTS {
            for times in [150, 333, 450, 950, 1900, 100_000] {
                let code = [&begin.repeat(times), middle, &end.repeat(times)].concat();
                if times == 100_000 {
                    refused(&code);
                    continue;
                }
                // The second reading is one where the tokens are a guess.
                for code in [&code, &format!("{{}}/1/g;{code}")] {
                    if let Err(error) = intake(code) {
                        let codes = [Code::InvalidInput, Code::Syntax];
                        assert!(codes.contains(&error.code), "{error}");
                    }
                }
            }
        }
    });
}

#[test]
fn what_is_too_deep_is_told() {
    let error = refused(&format!("{}1{}", "(".repeat(400), ")".repeat(400)));
    assert_eq!(error.code, Code::InvalidInput);
    assert!(error.text.contains("nested too deeply"), "{error}");
}

#[test]
fn ordinary_depth_and_length_are_accepted() {
    on_a_small_stack(|| {
        let long = [
            format!("{}1{}", "[".repeat(200), "]".repeat(200)),
            "x + ".repeat(1500) + "1",
            "if (a) { b } else ".repeat(300) + "{ c }",
            "a = b\n".repeat(20_000),
            "const f = x => !x\n"
                .repeat(2)
                .replace("f = x", "g = x")
                .replacen("g", "f", 1),
            "if (a) b()\nelse c()\n".repeat(3000),
            "if (a) { b() } else { c() }\n".repeat(3000),
            "for (const a of b) { c() }\n".repeat(3000),
            "while (a) { b() }\nc()\n".repeat(1500),
            "if (a) return !b\n".repeat(3000),
            "switch (a) {\n".to_owned() + &"case 1: b = !c; break\n".repeat(2000) + "}",
            format!("x = {{{}}}", "a: b ? !c : d,\n".repeat(5000)),
            format!("x = [{}]", "-1, +2, a => b,\n".repeat(5000)),
            format!("x = `{}`", "${!a ? b : c} ".repeat(2000)),
            "it('(((((', () => { a(/[(]/, \"[[[\") })\n".repeat(500),
            "// it's (here\n/* and ` there { */\n".repeat(2000) + "1",
        ];
        for code in long {
            let shown: String = code.chars().take(60).collect();
            assert!(intake(&code).is_ok(), "{shown}: {}", refused(&code));
        }
    });
}

#[test]
fn the_size_limit_counts_utf_16_units() {
    let just = |units: usize| format!("'{}'", "x".repeat(units - 2));
    assert!(intake(&just(MAX_UNITS)).is_ok());
    let error = refused(&just(MAX_UNITS + 1));
    assert_eq!(error.code, Code::TooLarge);
    assert!(
        error.text.contains("1000001") && error.text.contains("1000000"),
        "{error}"
    );
    // Each takes two units, and four bytes.
    assert!(intake(&format!("'{}'", "\u{1f600}".repeat(MAX_UNITS / 2 - 1))).is_ok());
    assert_eq!(
        refused(&"\u{1f600}".repeat(MAX_UNITS / 2 + 1)).code,
        Code::TooLarge
    );
}

#[test]
fn a_program_of_too_many_parts_is_too_large() {
    let error = refused(&"a;".repeat(MAX_UNITS / 2));
    assert_eq!(error.code, Code::TooLarge);
    assert!(error.text.contains("400000"), "{error}");
    let error = refused(&format!("for (;;) {{ {} }}", "a;".repeat(50_000)));
    assert_eq!(error.code, Code::TooLarge);
    assert!(error.text.contains("`return`"), "{error}");
}
