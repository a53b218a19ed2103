//! Selection among the visited edges of a node: finds the edge with the best PUCT score and caches it as the node's
//! leader.

use super::Tree;
use super::arena::BlockId;
use super::edge::{Edge, EdgeRef};
use super::node::{
    DIRECTORY_ENTRIES, EDGES_PER_BLOCK, NEXT_BLOCK, bound_of_others, directory,
    for_each_further_block, four_edges, inline_edges, set_bound_of_others, word,
};
use super::nodes::NodeId;
use crate::mcts::puct::{Ranking, score};

impl Tree {
    /// Returns the visited edge of `node` with the best PUCT score, the first one among equals, or `None` if no score
    /// is above `floor`. `explore` is PUCT's exploration factor `c·√N` at `node`.
    ///
    /// The result relies on a cache: between two calls for the same node, `explore` must not shrink, and only the
    /// statistics of the edge that the last call returned may change.
    #[must_use]
    #[inline]
    pub fn best_above(&mut self, node: NodeId, explore: f32, floor: f32) -> Option<EdgeRef> {
        let (best, score) = self
            .cached_leader(node, explore)
            .or_else(|| self.find_leader(node, explore))?;
        (score > floor).then_some(best)
    }

    /// Returns the cached leader and its PUCT score if the bound on the other edges proves that no other edge has
    /// overtaken the leader. Otherwise, or if no leader is cached, returns `None`.
    #[inline(always)]
    fn cached_leader(&self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let directory = directory(own)?;
        let leader = EdgeRef::from_word(own.0[word::LEADER])?;
        let others = bound_of_others(&self.arena[directory]);
        let score = score(self.edge(leader), explore);
        (score > others.at(explore)).then_some((leader, score))
    }

    /// Compares the PUCT scores of all visited edges of `node`. Returns the edge with the best score, and that score,
    /// or `None` if all visited edges are lost. Caches the edge as the leader if the node has a directory.
    #[inline(always)]
    fn find_leader(&mut self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let mut ranking = Ranking::new(explore);
        ranking.add(inline_edges(own));
        for_each_further_block(&self.arena, own, |id| {
            ranking.add(four_edges(&self.arena[id]))
        });
        let highest = ranking.highest();
        if highest == Edge::PROVEN_LOSS {
            return None;
        }
        let index = ranking.leader();
        let block = match (index / EDGES_PER_BLOCK).checked_sub(1) {
            None => node.block(),
            Some(number) => self.further_block(node, number)?,
        };
        let best = EdgeRef::new(block, index % EDGES_PER_BLOCK);
        if let Some(directory) = directory(&self.arena[node]) {
            self.arena[node].0[word::LEADER] = best.to_word();
            set_bound_of_others(&mut self.arena[directory], ranking.bound_of_others());
        }
        Some((best, highest))
    }

    /// Returns the id of edge block `number` of `node`, counted from 0 over the blocks with edges after the first two.
    /// Returns `None` if there is no such block.
    pub(super) fn further_block(&self, node: NodeId, mut number: usize) -> Option<BlockId> {
        let own = &self.arena[node];
        let Some(mut directory) = directory(own) else {
            let only = (number == 0).then_some(own.0[word::FURTHER]);
            return only.and_then(BlockId::from_word);
        };
        while number >= DIRECTORY_ENTRIES {
            directory = BlockId::from_word(self.arena[directory].0[NEXT_BLOCK])?;
            number -= DIRECTORY_ENTRIES;
        }
        BlockId::from_word(self.arena[directory].0[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::mcts::tree::edge::{Action, Estimate, PackedEdge, Softmax};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use std::cmp::Reverse;

    /// Checks that the cached leader never hides an edge with a better score, with and without proven edges.
    #[test]
    fn cached_leader_always_has_the_best_score() {
        let mut random = SmallRng::seed_from_u64(5);
        let (mut cached, mut steps) = ([0, 0], [0, 0]);
        let (mut lost, mut won) = (0, 0);
        let nodes = [1_u32, 5, 7, 23, 90, 108].map(|edges| [(edges, false), (edges, true)]);
        for (edges, with_proofs) in nodes.into_iter().flatten() {
            let mut tree = Tree::with_memory(1 << 20);
            let key = |to| {
                let action = Action::arrow(Square::wrapping(to));
                PackedEdge::new(1 + random.random_range(0..1000), action)
            };
            let mut packed: Vec<PackedEdge> = (0..edges).map(key).collect();
            packed.sort_unstable_by_key(|&key| Reverse(key));
            let softmax = Softmax {
                best: packed[0].estimate(),
                inverse_sum: 1.0,
            };
            let estimate = |key: PackedEdge| Estimate {
                value: key.estimate() as f32 / 1000.0,
                prior: key.estimate() as f32 / 10_000.0,
            };
            let node = tree.add_node(&packed, softmax, estimate);
            for visits in 0..3000 {
                let explore = 0.3 * (visits as f32).sqrt();
                let floor = tree
                    .first_unvisited(node)
                    .map_or(f32::NEG_INFINITY, |next| next.value + explore * next.prior);
                let mut expected = floor;
                tree.for_each_edge(node, |_, edge| {
                    expected = expected.max(score(edge, explore))
                });
                steps[usize::from(with_proofs)] += 1;
                cached[usize::from(with_proofs)] +=
                    u32::from(tree.cached_leader(node, explore).is_some());
                let best = tree.best_above(node, explore, floor);
                let found = best.map_or(floor, |best| score(tree.edge(best), explore));
                assert_eq!(found, expected, "{edges} edges, visit {visits}");
                if found == Edge::PROVEN_LOSS {
                    break;
                }
                let best = best.unwrap_or_else(|| tree.expand_edge(node, |key, _| estimate(key)));
                let edge = tree.edge(best);
                let value: f32 = random.random_range(0.0..1.0);
                let mean = match random.random_range(0..100) {
                    _ if edge.is_proven() => edge.mean,
                    0..5 if with_proofs => Edge::PROVEN_LOSS,
                    5 if with_proofs && visits >= 2000 => Edge::PROVEN_WIN,
                    _ => edge.mean + (value - edge.mean) / (1 + edge.visits) as f32,
                };
                lost += u32::from(mean == Edge::PROVEN_LOSS);
                won += u32::from(mean == Edge::PROVEN_WIN);
                tree.set_statistics(best, edge.visits + 1, mean);
            }
        }
        for (cached, steps) in cached.into_iter().zip(steps) {
            assert!(cached > steps / 10, "only {cached} of {steps} were cached");
        }
        assert!(lost > 200 && won > 500, "{lost} losses and {won} wins");
    }
}
