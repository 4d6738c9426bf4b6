//! Types to TypeScript text: a cut line for a signature, a whole line or a block for a description.
//!
//! Whatever the schema held, the text parses: names and literals are quoted, comments cannot be ended from inside, and an
//! operator that binds less is put in parentheses. Decides nothing about meaning.

use super::text::{property, safe};
use super::value::{Member, Presence, Primitive, Type};

/// An object without comments stays on one line of a block up to this length: line breaks cost a model tokens too.
const SHORT_OBJECT_CHARS: usize = 160;
/// Values of one enum that are written out; how many more there are is said.
const MAX_VALUES: usize = 60;

/// How a description is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog) enum Form {
    /// On one line, comments and all: a third fewer tokens than lines.
    Line,
    /// A member with a comment has lines of its own; long comments keep their lines. The depth of the line it begins on.
    Block(usize),
}

/// How tightly a place binds; a looser type there needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Bond {
    Union,
    Intersection,
    Postfix,
}

/// One line, without comments. Beyond `most` members of an object or arms of a union it says how many are left out.
pub(in crate::catalog) fn line(ty: &Type, most: usize) -> String {
    let mut printer = Printer {
        out: String::new(),
        layout: Layout::Line { most },
    };
    printer.write(ty, Bond::Union);
    printer.out
}

/// Everything, with the comments of members and arms.
pub(in crate::catalog) fn whole(ty: &Type, form: Form) -> String {
    let mut printer = Printer {
        out: String::new(),
        layout: match form {
            Form::Line => Layout::Whole,
            Form::Block(indent) => Layout::Block { indent },
        },
    };
    printer.write(ty, Bond::Union);
    printer.out
}

/// A JSDoc comment and the line break after it.
pub(in crate::catalog) fn comment(doc: &str, indent: usize) -> String {
    let pad = "  ".repeat(indent);
    let doc = safe(doc);
    let mut lines = doc.lines().map(str::trim_end);
    match (lines.next(), lines.next()) {
        (None, _) => String::new(),
        (Some(only), None) => format!("{pad}/** {only} */\n"),
        _ => {
            let body: String = doc
                .lines()
                .map(|line| format!("{}\n", format!("{pad} * {line}").trim_end()))
                .collect();
            format!("{pad}/**\n{body}{pad} */\n")
        }
    }
}

#[derive(Clone, Copy)]
enum Layout {
    /// Without comments, cut.
    Line {
        most: usize,
    },
    Whole,
    Block {
        indent: usize,
    },
}

struct Printer {
    out: String,
    layout: Layout,
}

impl Printer {
    fn write(&mut self, ty: &Type, place: Bond) {
        if bond(ty) < place {
            self.out.push('(');
            self.write(ty, Bond::Union);
            self.out.push(')');
            return;
        }
        match ty {
            Type::Unknown => self.out.push_str("unknown"),
            Type::Never => self.out.push_str("never"),
            Type::Primitive(primitive) => self.out.push_str(word(*primitive)),
            Type::Literal(_, text) | Type::Name(text) => self.out.push_str(text),
            Type::Array(item) => {
                self.write(item, Bond::Postfix);
                self.out.push_str("[]");
            }
            Type::Tuple {
                required,
                optional,
                rest,
            } => self.tuple(required, optional, rest.as_deref()),
            Type::Object(members) => self.object(members),
            Type::Map(values) => {
                self.out.push_str("{ [key: string]: ");
                self.write(values, Bond::Union);
                self.out.push_str(" }");
            }
            Type::Union(arms) => self.joined(arms, " | ", Bond::Union),
            Type::Intersection(parts) => self.joined(parts, " & ", Bond::Intersection),
            Type::Documented(doc, ty) => {
                self.remark(doc);
                self.write(ty, place);
            }
        }
    }

    fn joined(&mut self, parts: &[Type], operator: &str, bond: Bond) {
        let values = parts.iter().all(|part| matches!(part, Type::Literal(..)));
        let shown = match self.layout {
            Layout::Whole | Layout::Block { .. } if values => parts.len().min(MAX_VALUES),
            _ => self.shown(parts.len()).max(1),
        };
        for (i, part) in parts.iter().take(shown).enumerate() {
            if i > 0 {
                self.out.push_str(operator);
            }
            // A union inside a union needs no parentheses, and the constructors leave none; an intersection's part may.
            self.write(part, bond);
        }
        self.left_out(parts.len().saturating_sub(shown), " ");
    }

    fn tuple(&mut self, required: &[Type], optional: &[Type], rest: Option<&Type>) {
        self.out.push('[');
        let mut separator = "";
        for (items, mark) in [(required, ""), (optional, "?")] {
            for item in items {
                self.out.push_str(separator);
                self.write(
                    item,
                    if mark.is_empty() {
                        Bond::Union
                    } else {
                        Bond::Postfix
                    },
                );
                self.out.push_str(mark);
                separator = ", ";
            }
        }
        if let Some(rest) = rest {
            self.out.push_str(separator);
            self.out.push_str("...");
            self.write(rest, Bond::Postfix);
            self.out.push_str("[]");
        }
        self.out.push(']');
    }

    fn object(&mut self, members: &[Member]) {
        let Layout::Block { indent } = self.layout else {
            return self.inline_object(members);
        };
        if members.iter().all(is_plain) {
            let short = line(&Type::Object(members.to_vec()), usize::MAX);
            if short.chars().count() <= SHORT_OBJECT_CHARS {
                return self.out.push_str(&short);
            }
        }
        self.layout = Layout::Block { indent: indent + 1 };
        self.out.push_str("{\n");
        for member in members {
            if let Some(doc) = &member.doc {
                self.out.push_str(&comment(doc, indent + 1));
            }
            self.out.push_str(&"  ".repeat(indent + 1));
            self.member(member);
            self.out.push_str(";\n");
        }
        self.out.push_str(&"  ".repeat(indent));
        self.out.push('}');
        self.layout = Layout::Block { indent };
    }

    fn inline_object(&mut self, members: &[Member]) {
        if members.is_empty() {
            return self.out.push_str("{}");
        }
        let shown = self.shown(members.len());
        self.out.push('{');
        for (i, member) in members.iter().take(shown).enumerate() {
            self.out.push_str(if i > 0 { "; " } else { " " });
            if let Some(doc) = &member.doc {
                self.remark(doc);
            }
            self.member(member);
        }
        let hidden = members.len().saturating_sub(shown);
        self.left_out(hidden, if shown > 0 { "; " } else { " " });
        self.out.push_str(" }");
    }

    fn member(&mut self, member: &Member) {
        self.out.push_str(&property(&member.name));
        if member.presence == Presence::Optional {
            self.out.push('?');
        }
        // A space here is a token for each member.
        self.out.push_str(match self.layout {
            Layout::Whole => ":",
            Layout::Line { .. } | Layout::Block { .. } => ": ",
        });
        self.write(&member.ty, Bond::Union);
    }

    /// A comment on the same line, where there is room for comments.
    fn remark(&mut self, doc: &str) {
        if !matches!(self.layout, Layout::Line { .. }) {
            let doc = safe(doc).split_whitespace().collect::<Vec<_>>().join(" ");
            self.out.push_str(&format!("/** {doc} */ "));
        }
    }

    fn shown(&self, count: usize) -> usize {
        match self.layout {
            Layout::Line { most } => count.min(most),
            Layout::Whole | Layout::Block { .. } => count,
        }
    }

    fn left_out(&mut self, hidden: usize, separator: &str) {
        if hidden > 0 {
            self.out
                .push_str(&format!("{separator}/* {hidden} more */"));
        }
    }
}

fn bond(ty: &Type) -> Bond {
    match ty {
        Type::Union(_) => Bond::Union,
        Type::Intersection(_) => Bond::Intersection,
        Type::Documented(_, ty) => bond(ty),
        _ => Bond::Postfix,
    }
}

/// Has it no comment inside? Deeper objects say so for themselves by being plain.
fn is_plain(member: &Member) -> bool {
    member.doc.is_none() && is_plain_type(&member.ty)
}

fn is_plain_type(ty: &Type) -> bool {
    match ty {
        Type::Documented(..) => false,
        Type::Array(ty) | Type::Map(ty) => is_plain_type(ty),
        Type::Object(members) => members.iter().all(is_plain),
        Type::Union(types) | Type::Intersection(types) => types.iter().all(is_plain_type),
        Type::Tuple {
            required,
            optional,
            rest,
        } => required
            .iter()
            .chain(optional)
            .chain(rest.as_deref())
            .all(is_plain_type),
        Type::Unknown | Type::Never | Type::Primitive(_) | Type::Literal(..) | Type::Name(_) => {
            true
        }
    }
}

fn word(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String => "string",
        Primitive::Number => "number",
        Primitive::Boolean => "boolean",
        Primitive::Null => "null",
    }
}
