//! Plays a whole game with the keyboard and the accessibility tree that Chromium gives to screen readers.

use super::desktop;
use super::view::listed_moves;
use crate::common::browser::Page;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The page's current accessibility tree.
struct Tree {
    nodes: HashMap<String, Value>,
}

impl Tree {
    fn read(page: &Page) -> Tree {
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

    /// Iterates over the nodes that a screen reader presents, with role and name.
    fn presented(&self) -> impl Iterator<Item = (&Value, &str, &str)> {
        let shown = self.nodes.values().filter(|node| node["ignored"] != true);
        shown.map(|node| {
            let word = |key: &str| node[key]["value"].as_str().unwrap_or_default();
            (node, word("role"), word("name"))
        })
    }

    /// Returns the role and name of the focused element.
    fn focus(&self) -> (&str, &str) {
        let is_focused =
            |node: &Value, role| property(node, "focused") == true && role != "RootWebArea";
        let found = self
            .presented()
            .find(|&(node, role, _)| is_focused(node, role));
        found.map_or(("", ""), |(_, role, name)| (role, name))
    }

    /// Returns the text of all live regions, which screen readers announce on change.
    fn live_text(&self) -> String {
        let live = self.presented().filter(|(node, ..)| {
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

    /// Returns the names of the squares that can be selected now, sorted.
    fn selectable(&self) -> Vec<String> {
        let cells = self
            .presented()
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

/// Moves the focus to a square with the arrow keys, and presses `key` there.
fn choose(page: &Page, square: &str, key: &str) {
    let from = Tree::read(page).focus().1.to_owned();
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
    let tree = Tree::read(page);
    let (role, name) = tree.focus();
    assert!(
        role == "gridcell" && name.starts_with(square),
        "{name}, expected {square}"
    );
    page.key(key);
}

#[test]
fn keyboard_and_screen_reader_play_a_whole_game() {
    let Some(page) = desktop() else { return };
    page.command("Accessibility.enable", json!({}));
    let reached = (0..60).any(|_| {
        page.key("Tab");
        Tree::read(&page).focus().0 == "gridcell"
    });
    assert!(reached, "the board is reached by Tab");
    // Escape cancels the selection.
    choose(&page, "c1", "Enter");
    page.key("Escape");
    // The board is one tab stop.
    page.key("Shift+Tab");
    assert_ne!(Tree::read(&page).focus().0, "gridcell");
    page.key("Tab");
    assert!(Tree::read(&page).focus().1.starts_with("c1"));
    loop {
        page.wait_for(
            "/choose an amazon|has won/.test(document.querySelector('#status').textContent)",
        );
        let said = Tree::read(&page).live_text();
        let moves = listed_moves(&page);
        if let Some(last) = moves.last() {
            // The bot's move is announced with the position, or with the end of the game.
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
            let selectable = Tree::read(&page).selectable();
            choose(&page, &selectable[selectable.len() / 2], key);
            let said = Tree::read(&page).live_text();
            assert!(said.contains(next), "{said}, expected {next}");
        }
    }
}
