//! What is told of a text that is no program for this tool: another language, prose, or a wish for modules.
//!
//! The guess by words comes only after every reading as a program has failed, so no program is refused by it.

use oxc_ast::ast::{Expression, Program, Statement};

use crate::error::{Code, Error};

use super::edits::Draft;
use super::syntax::{Fault, point};

const SEND: &str = "Send one JavaScript program, for example `async () => { const found = await codemode.search(\"…\"); \
     return found; }`";

const COMMANDS: [&str; 56] = [
    "ls", "cd", "pwd", "cat", "cp", "mv", "rm", "mkdir", "rmdir", "touch", "echo", "grep", "rg",
    "sed", "awk", "find", "head", "tail", "sort", "wc", "chmod", "chown", "curl", "wget", "git",
    "gh", "npm", "npx", "pnpm", "yarn", "bun", "deno", "node", "python", "python3", "pip", "pip3",
    "cargo", "rustc", "go", "make", "docker", "kubectl", "ssh", "scp", "tar", "unzip", "sudo",
    "apt", "apt-get", "brew", "bash", "sh", "which", "whoami", "ps",
];

pub(super) fn no_import(
    what: &str,
    draft: &Draft<'_>,
    offset: usize,
    namespaces: &[String],
) -> Error {
    let forms = if what == "import" {
        " (static, dynamic, re-exported or import.meta)"
    } else {
        ""
    };
    let names: Vec<_> = namespaces
        .iter()
        .map(String::as_str)
        .chain(["codemode"])
        .collect();
    Error::new(
        Code::InvalidInput,
        format!(
            "`{what}` is not available{forms} at {}Leave it out: there are no modules. The globals are {}, and standard \
             JavaScript such as JSON, Math, Date, Map, Intl, URL, TextEncoder, structuredClone, crypto, console and \
             setTimeout; `codemode.search(\"…\")` finds the methods of connectors.",
            point(draft.model, draft.origin(offset)),
            names.join(", ")
        ),
    )
}

/// A program that is a command with options, `ls -la`: JavaScript by chance, names that nobody declared minus others.
pub(super) fn is_command(program: &Program<'_>, is_known: impl Fn(&str) -> bool) -> bool {
    let [Statement::ExpressionStatement(only)] = program.body.as_slice() else {
        return false;
    };
    let name = match &only.expression {
        Expression::Identifier(it) => &it.name,
        Expression::BinaryExpression(it) => match (&it.left, &it.right) {
            (Expression::Identifier(left), Expression::Identifier(_)) => &left.name,
            _ => return false,
        },
        _ => return false,
    };
    COMMANDS.contains(&name.as_str()) && !is_known(name)
}

pub(super) fn shell(text: &str) -> Error {
    refused("a shell command", text)
}

pub(super) fn other_language(language: &str) -> Error {
    Error::new(
        Code::InvalidInput,
        format!(
            "invalid input: this tool runs JavaScript, and the fenced block is marked `{language}`. {SEND}."
        ),
    )
}

pub(super) fn jsx(draft: &Draft<'_>, fault: &Fault) -> Error {
    Error::new(
        Code::InvalidInput,
        format!(
            "JSX is not supported, at {}Make the text or data with plain JavaScript instead.",
            point(draft.model, draft.origin(fault.offset))
        ),
    )
}

/// What a text is that is no program, if its words tell.
pub(super) fn not_javascript(draft: &Draft<'_>, fault: &Fault) -> Option<Error> {
    let text = draft.text.as_str();
    let lines = || {
        text.lines()
            .map(str::trim_end)
            .filter(|line| !line.trim().is_empty())
    };
    let first = lines()
        .find(|line| !line.trim_start().starts_with('#'))
        .unwrap_or_default();
    let hashbang = text.trim_start().starts_with("#!") && !text.contains("node");
    let kind = if first.starts_with("diff --git ")
        || first.starts_with("*** Begin Patch")
        || (first.starts_with("--- ") && lines().any(|line| line.starts_with("+++ ")))
    {
        "a patch"
    } else if is_markup(first.trim_start()) {
        "HTML"
    } else if is_python(lines()) {
        "Python"
    } else if hashbang || is_shell(first.trim_start()) {
        "a shell command"
    } else if is_prose(first) && fault.offset <= line_end(text, first) {
        "prose"
    } else {
        return None;
    };
    Some(refused(kind, first))
}

fn refused(kind: &str, line: &str) -> Error {
    let shown: String = line
        .trim()
        .chars()
        .take(80)
        .filter(|c| !c.is_control())
        .collect();
    let prose = if kind == "prose" {
        ", without sentences around it, or put it into a ```js fence"
    } else {
        ""
    };
    Error::new(
        Code::InvalidInput,
        format!(
            "invalid input: this tool runs JavaScript, and the text looks like {kind} (`{shown}`). {SEND}{prose}."
        ),
    )
}

fn line_end(text: &str, line: &str) -> usize {
    text.find(line).map_or(0, |at| at + line.len())
}

fn is_markup(line: &str) -> bool {
    let lower: String = line
        .chars()
        .take(12)
        .collect::<String>()
        .to_ascii_lowercase();
    ["<!doctype", "<html", "<?xml", "<script", "<body", "<head>"]
        .iter()
        .any(|begin| lower.starts_with(begin))
}

fn is_shell(line: &str) -> bool {
    if line.starts_with("$ ") {
        return true;
    }
    let mut words = line.split_whitespace();
    let command = words.next().is_some_and(|word| COMMANDS.contains(&word));
    command
        && !words
            .next()
            .is_some_and(|word| word.starts_with(['=', '(', '.', '?', ':']))
}

/// A compound statement ends its line with a colon; no line of JavaScript begins with these words and does.
fn is_python<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let words = [
        "def ",
        "class ",
        "elif ",
        "else:",
        "try:",
        "except",
        "finally:",
        "for ",
        "while ",
        "if ",
        "with ",
        "async def ",
    ];
    lines.map(str::trim_start).any(|line| {
        let compound = line.ends_with(':') && words.iter().any(|word| line.starts_with(word));
        let mut parts = line.split_whitespace();
        let imports = match (parts.next(), parts.next(), parts.next()) {
            (Some("import"), Some(name), None | Some("as")) => is_dotted(name),
            (Some("from"), Some(name), Some("import")) => is_dotted(name),
            _ => false,
        };
        compound || imports
    })
}

fn is_dotted(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ','))
}

/// Three words in a row and no sign of code.
fn is_prose(line: &str) -> bool {
    let keywords = [
        "const",
        "let",
        "var",
        "function",
        "async",
        "await",
        "return",
        "if",
        "for",
        "while",
        "do",
        "class",
        "export",
        "import",
        "try",
        "throw",
        "new",
        "type",
        "interface",
        "enum",
        "switch",
        "delete",
        "typeof",
        "void",
        "yield",
        "abstract",
        "declare",
        "namespace",
        "break",
        "continue",
    ];
    let line = line.trim_start_matches(['#', '*', '-', '>', ' ']);
    let words = line
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count();
    let plain = line
        .chars()
        .all(|c| c.is_alphanumeric() || c.is_whitespace() || "'’‘“”\",.:!?-–—()`/&%".contains(c));
    let begins = line.split_whitespace().next().unwrap_or_default();
    words >= 3 && plain && !keywords.contains(&begins)
}
