//! The literals that may hold brackets and quotes of their own: strings, templates, regular expressions.

use super::{Before, Bracket, Kind, Tokens, is_break, is_name};

impl Tokens<'_> {
    /// Text of a template from its opening mark: to the end of it, or to the next substitution.
    pub(super) fn template(&mut self, ended: Kind, substitution: Kind) -> (Kind, Before) {
        self.at += 1;
        loop {
            let Some(next) = self.peek() else {
                return (ended, Before::Operand);
            };
            if next == '`' {
                self.at += 1;
                return (ended, Before::Operand);
            }
            if self.rest().starts_with("${") {
                self.at += 2;
                self.brackets.push(Bracket::Template);
                return (substitution, Before::Operator);
            }
            self.at += next.len_utf8();
            if next == '\\' {
                self.at += self.peek().map_or(0, char::len_utf8);
            }
        }
    }

    pub(super) fn pattern(&mut self) -> (Kind, Before) {
        self.at += 1;
        let (mut brackets, mut class) = (0, false);
        while let Some(next) = self.peek() {
            if is_break(next) {
                self.unsure = true;
                break;
            }
            self.at += next.len_utf8();
            match next {
                '\\' => {
                    self.at += self
                        .peek()
                        .filter(|c| !is_break(*c))
                        .map_or(0, char::len_utf8)
                }
                '/' if !class => break,
                '(' => brackets += 1,
                '[' => {
                    brackets += 1;
                    class = true;
                }
                ']' => class = false,
                _ => {}
            }
        }
        self.skip_while(is_name);
        (Kind::Pattern { brackets }, Before::Operand)
    }

    pub(super) fn skip_string(&mut self, quote: char) {
        self.at += 1;
        while let Some(next) = self.peek() {
            if next == '\n' || next == '\r' {
                self.unsure = true;
                return;
            }
            self.at += next.len_utf8();
            match next {
                '\\' => {
                    self.at += if self.rest().starts_with("\r\n") {
                        2
                    } else {
                        self.peek().map_or(0, char::len_utf8)
                    };
                }
                _ if next == quote => return,
                _ => {}
            }
        }
    }
}
