//! What a method does to things, as its verb and its names tell, and what a query wants done.
//!
//! Only a hint: a query for *deleting* still finds what its other words name, but what deletes comes first.

pub(super) const READ: u8 = 1;
pub(super) const LIST: u8 = 2;
pub(super) const CREATE: u8 = 4;
pub(super) const UPDATE: u8 = 8;
pub(super) const DELETE: u8 = 16;

/// The act that a verb names, by its term. Verbs with several meanings (`set`, `post`, `open`) are left out, or have all
/// of them.
pub(super) fn of_term(term: &str) -> u8 {
    match term {
        "get" | "fetch" | "read" | "retriev" | "show" | "view" | "display" | "check"
        | "download" | "describ" | "inspect" | "return" => READ,
        "list" | "search" | "find" | "enumer" | "brows" | "queri" => LIST,
        "creat" | "add" | "insert" | "new" | "make" | "generat" | "upload" | "send" | "write"
        | "schedul" | "invit" | "regist" | "provis" | "start" | "launch" | "import" => CREATE,
        "updat" | "edit" | "chang" | "modifi" | "patch" | "renam" | "replac" | "set" | "move"
        | "resiz" | "enabl" | "disabl" | "transfer" | "lock" | "unlock" | "merg" | "archiv"
        | "assign" | "convert" | "restor" => UPDATE,
        "delet" | "remov" | "destroy" | "drop" | "eras" | "unset" | "purg" | "revok" | "cancel"
        | "uninstal" | "wipe" | "discard" => DELETE,
        _ => 0,
    }
}

/// What its HTTP verb and path say: a path that ends in a parameter is one thing, otherwise a collection.
pub(super) fn of_request(verb: &str, path: &str) -> u8 {
    let one = path.trim_end_matches('/').ends_with('}');
    let last = path.rsplit('/').find(|part| !part.is_empty());
    let many = last.is_some_and(|part| part.trim_end_matches(".json").ends_with('s'));
    match verb {
        "GET" | "HEAD" if !one && many => LIST,
        "GET" | "HEAD" => READ,
        "POST" if one => UPDATE,
        "POST" => CREATE,
        "PUT" | "PATCH" => UPDATE,
        "DELETE" => DELETE,
        _ => 0,
    }
}

/// What else a wish for these acts is content with: who wants to `get` may mean a list, who lists a look at one.
pub(super) fn near(acts: u8) -> u8 {
    let mut near = acts;
    if acts & (READ | LIST) != 0 {
        near |= READ | LIST;
    }
    // `add a label` changes the issue, `change the topic` sets it anew.
    if acts & (CREATE | UPDATE) != 0 {
        near |= CREATE | UPDATE;
    }
    near
}
