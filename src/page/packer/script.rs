//! Bundles the page's JavaScript modules into one script, because browsers load no modules for a page opened from disk.

/// Expands a list of module names to an array of pairs: the module's name, and the content of its file `web/NAME.js`.
macro_rules! modules {
    ($($name:ident),*) => {
        [$((stringify!($name), include_str!(concat!("../web/", stringify!($name), ".js")))),*]
    };
}

/// JavaScript modules of the page as pairs. First: name; second: source text. A module that imports others comes after
/// them.
const MODULES: [(&str, &str); 34] = modules![
    rules,
    findings,
    dom,
    texts,
    annotations,
    tree,
    state,
    notice,
    link,
    engine,
    store,
    input,
    sounds,
    animation,
    faults,
    board,
    reasons,
    charts,
    moves,
    analysis,
    book,
    review,
    games,
    lesson,
    primer,
    learn,
    warning,
    play,
    editor,
    files,
    notes,
    appearance,
    bench,
    main
];

/// Returns one script in strict mode that contains all modules of the page.
pub fn join_modules() -> String {
    let modules = MODULES.iter().map(|(name, text)| wrap_module(name, text));
    format!("\n\"use strict\";\n{}", modules.collect::<String>())
}

/// Wraps the JavaScript module `name` with the source `text` in a function, which is called at once and returns an
/// object with the module's exports. Returns the source of the wrapped module.
///
/// An import must be a line `import { a, b } from "./c.js";`. An export must be a declaration of a function, a constant
/// or a class in a line that begins with `export`.
fn wrap_module(name: &str, text: &str) -> String {
    let mut exports = Vec::new();
    let mut body = String::new();
    for line in code_lines(text) {
        let exported = line.strip_prefix("export ");
        exports.extend(exported.and_then(declared_name));
        match parse_import(line) {
            Some((names, from)) => body += &format!("const {{ {names} }} = {from}Module;\n"),
            None => body += &format!("{}\n", exported.unwrap_or(line).trim_start()),
        }
    }
    let exports = exports.join(", ");
    format!("const {name}Module = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

/// Returns the lines of the JavaScript source `text` without comments and empty lines. In `text`, a comment must not
/// share a line with code, except a type annotation like `/** @type {X} */` before a value.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    text.lines().filter(move |line| {
        let line = line.trim();
        let begins = !is_comment && line.starts_with("/*");
        let ends = line.ends_with("*/");
        // A line that begins with a comment and goes on after it is code, not a comment: `/** @type {X} */ value` gives
        // the type of a value.
        let is_type_note = begins && !ends && line.contains("*/");
        let is_left_out = is_comment || (begins && !is_type_note) || line.starts_with("//");
        is_comment = (is_comment || begins) && !ends && !is_type_note;
        !is_left_out && !line.is_empty()
    })
}

/// Parses an import such as `import { a, b } from "./c.js";`. Returns the imported names (`a, b`) and the module's name
/// (`c`); `None` if the line is not an import.
fn parse_import(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("import { ")?;
    let (names, from) = rest.split_once(" } from \"./")?;
    Some((names, from.strip_suffix(".js\";")?))
}

/// Returns the name of the function, constant or class that `line` declares: `f` for `function f() {`. The caller has
/// removed `export` from the line. Returns `None` if the line is not such a declaration.
fn declared_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let keywords = ["function ", "const ", "class "];
    let name = keywords
        .iter()
        .find_map(|keyword| line.strip_prefix(keyword))?;
    name.split(|letter: char| !letter.is_alphanumeric() && !"$_".contains(letter))
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn modules_import_only_from_earlier_modules() {
        let mut exported: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (names, from) = parse_import(line).expect("a valid import");
                let known = exported.get(from).expect("a module before this one");
                for import in names.split(", ") {
                    assert!(known.contains(&import), "{name}.js: {import} of {from}.js");
                }
            }
            let exports = text.lines().filter_map(|line| line.strip_prefix("export "));
            let names: Option<Vec<&str>> = exports.map(declared_name).collect();
            exported.insert(name, names.expect("functions, constants and classes"));
        }
    }

    #[test]
    fn module_is_wrapped_in_a_function() {
        let text = "import { a, b } from \"./c.js\";\n\nexport const d = a;\nconst e = b;\nexport async function f() {}\n";
        let expected = "const mModule = (() => {\nconst { a, b } = cModule;\nconst d = a;\nconst e = b;\nasync function f() {}\nreturn { d, f };\n})();\n";
        assert_eq!(wrap_module("m", text), expected);
    }
}
