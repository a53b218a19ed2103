//! A whole game by the keyboard and by what a screen reader is told: the accessibility tree that Chromium gives it.

use super::desktop;
use super::seen::listed;
use crate::common::browser::Page;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What a screen reader knows of the page now.
struct Tree {
    nodes: HashMap<String, Value>,
}

impl Tree {
    fn of(page: &Page) -> Tree {
        let mut reply = page.command("Accessibility.getFullAXTree", json!({}));
        let Value::Array(nodes) = reply["nodes"].take() else {
            panic!("no tree: {reply}")
        };
        let named = nodes
            .into_iter()
            .map(|node| (node["nodeId"].as_str().expect("an id").to_owned(), node));
        Tree {
            nodes: named.collect(),
        }
    }

    /// The nodes that a reader meets, with what it is told of each: role and name.
    fn heard(&self) -> impl Iterator<Item = (&Value, &str, &str)> {
        let shown = self.nodes.values().filter(|node| node["ignored"] != true);
        shown.map(|node| {
            let word = |key: &str| node[key]["value"].as_str().unwrap_or_default();
            (node, word("role"), word("name"))
        })
    }

    /// Role and name of what has the keyboard's focus.
    fn focus(&self) -> (&str, &str) {
        let is_focused =
            |node: &Value, role| property(node, "focused") == true && role != "RootWebArea";
        let found = self.heard().find(|&(node, role, _)| is_focused(node, role));
        found.map_or(("", ""), |(_, role, name)| (role, name))
    }

    /// All that is announced when it changes, as one text.
    fn announced(&self) -> String {
        let live = self.heard().filter(|(node, ..)| {
            property(node, "live") == "polite" && property(node, "root").is_null()
        });
        live.map(|(node, ..)| self.text_below(node))
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn text_below(&self, node: &Value) -> String {
        if node["role"]["value"] == "StaticText" {
            return node["name"]["value"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
        }
        let children = node["childIds"].as_array().into_iter().flatten();
        let children = children.filter_map(|id| self.nodes.get(id.as_str()?));
        children.map(|child| self.text_below(child)).collect()
    }

    /// The squares that can be chosen now.
    fn possible(&self) -> Vec<String> {
        let cells = self
            .heard()
            .filter(|(_, role, name)| *role == "gridcell" && name.ends_with(", possible"));
        let mut names: Vec<String> = cells.map(|(.., name)| name[..2].to_owned()).collect();
        names.sort_unstable();
        names
    }
}

fn property<'a>(node: &'a Value, name: &str) -> &'a Value {
    let mut all = node["properties"].as_array().into_iter().flatten();
    let found = all.find(|property| property["name"] == name);
    found.map_or(&Value::Null, |property| &property["value"]["value"])
}

/// Goes with the arrow keys to a square and chooses it.
fn choose(page: &Page, square: &str, key: &str) {
    let from = Tree::of(page).focus().1.to_owned();
    let is_flipped = page.exists("body.flipped");
    for (axis, keys) in [["ArrowLeft", "ArrowRight"], ["ArrowUp", "ArrowDown"]]
        .iter()
        .enumerate()
    {
        let [from, to] = [&*from, square].map(|name| i32::from(name.as_bytes()[axis]));
        for _ in 0..from.abs_diff(to) {
            page.key(keys[usize::from((to > from) != is_flipped)]);
        }
    }
    let tree = Tree::of(page);
    let (role, name) = tree.focus();
    assert!(
        role == "gridcell" && name.starts_with(square),
        "{name}, expected {square}"
    );
    page.key(key);
}

#[test]
fn whole_game_is_played_by_keyboard() {
    let Some(page) = desktop() else { return };
    page.command("Accessibility.enable", json!({}));
    let reached = (0..60).any(|_| {
        page.key("Tab");
        Tree::of(&page).focus().0 == "gridcell"
    });
    assert!(reached, "the board is reached by Tab");
    // A choice is taken back.
    choose(&page, "c1", "Enter");
    page.key("Escape");
    // The board is one stop of the tabulator.
    page.key("Shift+Tab");
    assert_ne!(Tree::of(&page).focus().0, "gridcell");
    page.key("Tab");
    assert!(Tree::of(&page).focus().1.starts_with("c1"));
    loop {
        page.wait_for(
            "/choose an amazon|has won/.test(document.querySelector('#status').textContent)",
        );
        let said = Tree::of(&page).announced();
        let moves = listed(&page);
        if let Some(last) = moves.last() {
            // What the bot has played is announced with the position, or with the end.
            assert!(
                said.contains(last) || said.contains("The end after"),
                "{last}: {said}"
            );
        }
        if said.contains("has won: ") {
            assert!(moves.len() > 12, "a whole game: {}", moves.len());
            return;
        }
        assert!(said.contains("Black to move: choose an amazon."), "{said}");
        for (key, next) in [
            ("Enter", "Choose where the amazon goes."),
            (" ", "Choose where the arrow goes."),
            ("Enter", ""),
        ] {
            let possible = Tree::of(&page).possible();
            choose(&page, &possible[possible.len() / 2], key);
            let said = Tree::of(&page).announced();
            assert!(said.contains(next), "{said}, expected {next}");
        }
    }
}
