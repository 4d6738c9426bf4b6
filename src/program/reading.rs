//! From a text that should be one program to the module that runs it, or to what is wrong with it.
//!
//! As JavaScript first, unless the text says that it is TypeScript; and the other way when that fails. Each stage reads
//! its text as a whole, edits it, and the next one reads the result.

use oxc_allocator::Allocator;
use oxc_ast::ast::{ExportDefaultDeclarationKind, Expression, Program, Statement};

use crate::error::{Code, Error};

use super::edits::Draft;
use super::entry::Frame;
use super::exports::{self, Exports};
use super::forms::{self, Extent, Refused, Whole};
use super::names::Names;
use super::refusals::{self, no_import};
use super::syntax::{self, Dialect, Failed, Fault};
use super::tokens::Tokens;
use super::walk::{self, Noticed};
use super::{Budget, Options, budget, depth, typescript};

/// Most bytes that may be put around a program's statements to keep a value, and in all. Each edit costs two rows of
/// positions.
const MAX_KEPT: usize = 100_000;
const MAX_ADDED: usize = 1_000_000;

/// Most signs of an element in a text that is tried as JSX: the parser descends for each.
const MAX_ELEMENTS: usize = 100;

/// A program that was read.
pub(super) struct Made<'s> {
    pub(super) module: Draft<'s>,
    /// It is a function, and so is given the input of a snippet.
    pub(super) takes_input: bool,
    /// Snippets that it runs by a name written out.
    pub(super) runs: Vec<String>,
}

pub(super) struct Reader<'o> {
    options: &'o Options<'o>,
    /// One arena for every reading: memory once taken by wasm is never given back.
    allocator: Allocator,
}

impl<'o> Reader<'o> {
    pub(super) fn new(options: &'o Options<'o>) -> Self {
        Self {
            options,
            allocator: Allocator::default(),
        }
    }

    /// `first` is what the text says it is.
    pub(super) fn read<'s>(
        &mut self,
        draft: &Draft<'s>,
        first: Dialect,
    ) -> Result<Made<'s>, Failed> {
        let frame = Frame {
            namespaces: self.options.namespaces,
            names: Names::unused(&draft.text),
        };
        let module = self.module(draft, first, &frame)?;
        Ok(self.confirm(module, &frame)?)
    }

    /// Whether a text does something, at the first look: a program, and no mere value.
    pub(super) fn acts(&mut self, draft: &Draft<'_>) -> bool {
        if extent(&draft.text, Dialect::TypeScript).is_err() {
            return false;
        }
        self.allocator.reset();
        let program = syntax::parse(&self.allocator, &draft.text, Dialect::TypeScript);
        program.is_ok_and(|program| {
            program.body.iter().any(|statement| match statement {
                Statement::ExpressionStatement(it) => matches!(
                    it.expression.without_parentheses(),
                    Expression::ArrowFunctionExpression(_)
                        | Expression::FunctionExpression(_)
                        | Expression::CallExpression(_)
                        | Expression::AwaitExpression(_)
                        | Expression::AssignmentExpression(_)
                ),
                Statement::BlockStatement(_)
                | Statement::EmptyStatement(_)
                | Statement::LabeledStatement(_) => false,
                _ => true,
            })
        })
    }

    /// Whether a text that is no program would be one if elements could stand in it.
    pub(super) fn is_jsx(&mut self, draft: &Draft<'_>) -> bool {
        let elements = draft.text.matches('<').count();
        if elements == 0 || elements > MAX_ELEMENTS || extent(&draft.text, Dialect::Jsx).is_err() {
            return false;
        }
        self.allocator.reset();
        syntax::parse(&self.allocator, &draft.text, Dialect::Jsx).is_ok()
    }

    /// Which of the languages this text is, and its module.
    fn module<'s>(
        &mut self,
        draft: &Draft<'s>,
        first: Dialect,
        frame: &Frame<'_>,
    ) -> Result<Draft<'s>, Failed> {
        if first == Dialect::TypeScript
            && let Ok(plain) = self.typescript(draft)
        {
            return self.erased(&plain, frame);
        }
        let fault = match self.javascript(draft, frame) {
            Ok((module, noticed)) if noticed.type_arguments => {
                return match self.typescript(draft) {
                    Ok(plain) => self.erased(&plain, frame),
                    Err(_) => Ok(module),
                };
            }
            Ok((module, _)) => return Ok(module),
            Err(Failed::Refused(error)) => return Err(Failed::Refused(error)),
            Err(Failed::Syntax(fault)) => fault,
        };
        match self.typescript(draft) {
            Ok(plain) => self.erased(&plain, frame),
            Err(Failed::Refused(error)) => Err(Failed::Refused(error)),
            Err(Failed::Syntax(other)) => Err(Failed::Syntax(fault.or_further(other))),
        }
    }

    /// The types are gone; what is wrong now is told at its place in the model's text.
    fn erased<'s>(&mut self, plain: &Draft<'s>, frame: &Frame<'_>) -> Result<Draft<'s>, Failed> {
        match self.javascript(plain, frame) {
            Ok((module, _)) => Ok(module),
            Err(Failed::Syntax(fault)) => Err(Failed::Refused(fault.into_error(plain))),
            Err(refused) => Err(refused),
        }
    }

    fn typescript<'s>(&mut self, draft: &Draft<'s>) -> Result<Draft<'s>, Failed> {
        let extent = extent(&draft.text, Dialect::TypeScript)?;
        if extent.first == "{"
            && let Ok(plain) = self.erased_expression(draft, extent)
        {
            return Ok(plain);
        }
        self.allocator.reset();
        let fault = match typescript::erase(&self.allocator, draft) {
            Err(Failed::Syntax(fault)) => fault,
            done => return done,
        };
        self.erased_expression(draft, extent)
            .map_err(|failed| match failed {
                Failed::Syntax(other) => Failed::Syntax(fault.or_further(other)),
                Failed::Refused(error) => Failed::Refused(error),
            })
    }

    /// A text that is one expression, in parentheses and without types.
    fn erased_expression<'s>(
        &mut self,
        draft: &Draft<'s>,
        extent: Extent<'_>,
    ) -> Result<Draft<'s>, Failed> {
        self.allocator.reset();
        if !extent.begins_both() {
            return Err(Failed::Syntax(Fault::new(0, "this is no expression")));
        }
        let enclosed = forms::enclosed(draft, extent)?;
        typescript::erase_expression(&self.allocator, &enclosed).map_err(|failed| match failed {
            Failed::Syntax(fault) => {
                Failed::Syntax(fault.moved(|at| at.saturating_sub(1).min(draft.text.len())))
            }
            refused => refused,
        })
    }

    fn javascript<'s>(
        &mut self,
        draft: &Draft<'s>,
        frame: &Frame<'_>,
    ) -> Result<(Draft<'s>, Noticed), Failed> {
        let extent = extent(&draft.text, Dialect::JavaScript)?;
        self.allocator.reset();
        let as_expression = extent
            .begins_both()
            .then(|| forms::as_expression(&self.allocator, draft, extent, frame));
        if let Some(Ok((Whole::Object, edits))) = as_expression {
            return Ok((draft.apply(edits)?, Noticed::default()));
        }
        self.allocator.reset();
        match (
            syntax::parse(&self.allocator, &draft.text, Dialect::JavaScript),
            as_expression,
        ) {
            (Ok(program), _) => {
                let namespaces = frame.namespaces;
                let noticed =
                    walk::check(&program).map_err(|found| found.into_error(draft, namespaces))?;
                if refusals::is_command(&program, |name| frame.is_namespace(name)) {
                    return Err(refusals::shell(&draft.text).into());
                }
                let exports = exports::read(&program, &frame.names.exported)
                    .map_err(|loads| no_import("import", draft, loads.0, namespaces))?;
                if exports.edits.is_empty() {
                    let edits = forms::as_statements(&program, &draft.text, frame, None)?;
                    return Ok((draft.apply(edits)?, noticed));
                }
                Ok((self.exporting(draft, exports, frame)?, noticed))
            }
            (Err(_), Some(Ok((_, edits)))) => Ok((draft.apply(edits)?, Noticed::default())),
            (Err(_), Some(Err(Refused::Generator(error)))) => Err(Failed::Refused(error)),
            (Err(fault), Some(Err(Refused::Syntax(other)))) => {
                Err(Failed::Syntax(fault.or_further(other)))
            }
            (Err(fault), _) => Err(Failed::Syntax(fault)),
        }
    }

    fn exporting<'s>(
        &mut self,
        draft: &Draft<'s>,
        exports: Exports,
        frame: &Frame<'_>,
    ) -> Result<Draft<'s>, Failed> {
        let plain = draft.apply(exports.edits)?;
        self.allocator.reset();
        let program = syntax::parse(&self.allocator, &plain.text, Dialect::JavaScript)
            .map_err(|fault| fault.into_error(&plain))?;
        let entry = exports.entry.as_ref();
        let edits = forms::as_statements(&program, &plain.text, frame, entry)?;
        Ok(plain.apply(edits)?)
    }

    /// Reads the module that was made as if it came from elsewhere, and has it count.
    fn confirm<'s>(&mut self, module: Draft<'s>, frame: &Frame<'_>) -> Result<Made<'s>, Error> {
        fits(&module, MAX_KEPT)?;
        self.allocator.reset();
        depth::check(Tokens::new(&module.text), Dialect::JavaScript)?;
        let program = self.one_function(&module)?;
        let noticed =
            walk::check(&program).map_err(|found| found.into_error(&module, frame.namespaces))?;
        let scoping = syntax::early(&program).map_err(|fault| fault.into_error(&module))?;
        let undeclared = |name: &str| {
            let mut names = scoping.root_unresolved_references().keys();
            !frame.is_namespace(name) && names.any(|it| it.as_str() == name)
        };
        if let Some(place) = noticed.require
            && undeclared("require")
        {
            return Err(no_import("require", &module, place, frame.namespaces));
        }
        if budget::is_named(&scoping, &frame.names) {
            return Err(Error::new(
                Code::InvalidInput,
                "the program writes a name with `\\u` escapes that only this tool may use; write names plainly",
            ));
        }
        let (input, runs) = (&frame.names.input, noticed.runs);
        let takes_input = scoping
            .symbol_ids()
            .any(|id| scoping.symbol_name(id) == input && !scoping.symbol_is_unused(id));
        if self.options.budget == Budget::Uncounted {
            return Ok(Made {
                module,
                takes_input,
                runs,
            });
        }
        let counting = module.apply(budget::edits(&program, &frame.names))?;
        fits(&counting, MAX_ADDED)?;
        self.allocator.reset();
        depth::check(Tokens::new(&counting.text), Dialect::JavaScript)?;
        self.one_function(&counting)?;
        Ok(Made {
            module: counting,
            takes_input,
            runs,
        })
    }

    /// One statement from the first byte to the last, and it exports one async arrow function.
    fn one_function<'a>(&'a self, module: &'a Draft<'_>) -> Result<Program<'a>, Error> {
        let program = syntax::parse(&self.allocator, &module.text, Dialect::JavaScript)
            .map_err(|fault| fault.into_error(module))?;
        let is_one = match program.body.as_slice() {
            [Statement::ExportDefaultDeclaration(export)] => {
                let whole = export.span.start == 0
                    && export.span.end as usize == module.text.len()
                    && program.directives.is_empty();
                matches!(
                    &export.declaration,
                    ExportDefaultDeclarationKind::ArrowFunctionExpression(it)
                        if whole && it.r#async && it.span.end == export.span.end
                )
            }
            _ => false,
        };
        if is_one {
            Ok(program)
        } else {
            Err(forms::no_program())
        }
    }
}

/// What a text says from its first to its last sign, once it is known to be safe to parse.
fn extent(text: &str, dialect: Dialect) -> Result<Extent<'_>, Error> {
    let mut extent = None;
    let tokens = Tokens::new(text).inspect(|token| Extent::widen(&mut extent, token));
    depth::check(tokens, dialect)?;
    extent.ok_or_else(forms::no_program)
}

fn fits(draft: &Draft<'_>, added: usize) -> Result<(), Error> {
    if draft.text.len() <= draft.model.len() + added {
        return Ok(());
    }
    Err(Error::new(
        Code::TooLarge,
        format!(
            "the program has so many functions, loops or last statements that what is put between them exceeds {added} \
             characters; keep generated code out of it, and end it with `return`"
        ),
    ))
}
