//! Search for the edge with the highest PUCT score among the visited edges of a node ([`Tree::best_above`]). A node
//! with more than six visited edges caches the edge that was found, so that the next search need not compare all edges.

use super::Tree;
use super::arena::{BlockId, Word};
use super::edge::{Edge, EdgeRef};
use super::node::{
    EDGES_PER_BLOCK, IDS_PER_INDEX_BLOCK, NEXT_BLOCK, bound_of_others, for_each_edge_block,
    four_edges, index_block, inline_edges, node_word, set_bound_of_others,
};
use super::nodes::NodeId;
use crate::mcts::puct::{Ranking, score};

impl<W: Word> Tree<W> {
    /// Returns the location of the visited edge of `node` with the highest PUCT score, or `None` if this score is not
    /// higher than `floor`. If several edges have the highest score, the first one is returned. `explore` is PUCT's
    /// exploration factor `c·√N`, where N is the number of visits of `node`.
    ///
    /// The edge may come from the node's cache. So from one call for a node to the next, `explore` must not decrease,
    /// and only the edge that was returned may change its statistics; otherwise the result may be wrong.
    #[must_use]
    #[inline]
    pub fn best_above(&self, node: NodeId, explore: f32, floor: f32) -> Option<EdgeRef> {
        let (best, score) = self
            .cached_best_edge(node, explore)
            .or_else(|| self.find_best_edge(node, explore))?;
        (score > floor).then_some(best)
    }

    /// Returns the edge in the cache of `node`, if it certainly still has the highest PUCT score of all visited edges.
    /// First: its location. Second: its score. `explore` is PUCT's exploration factor (c·√N).
    ///
    /// Returns `None` if no edge is cached, or if the score is not higher than the stored upper bound on the scores of
    /// the other edges.
    #[inline(always)]
    fn cached_best_edge(&self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let index_block = index_block(own)?;
        let best = EdgeRef::from_word(own.get(node_word::CACHED_BEST))?;
        let others = bound_of_others(&self.arena[index_block]);
        let score = score(self.edge(best), explore);
        (score > others.value_at(explore)).then_some((best, score))
    }

    /// Compares all visited edges of `node`, and returns the one with the highest PUCT score. First: its location.
    /// Second: its score. `explore` is PUCT's exploration factor (c·√N). Returns `None` if no edge is visited, or if
    /// all visited edges are proven losses for the player to move at `node`.
    ///
    /// If the node has at least seven visited edges, also stores the result in the node's cache.
    #[inline(always)]
    fn find_best_edge(&self, node: NodeId, explore: f32) -> Option<(EdgeRef, f32)> {
        let own = &self.arena[node];
        let mut ranking = Ranking::new(explore);
        ranking.add(inline_edges(own));
        for_each_edge_block(&self.arena, own, |id| {
            ranking.add(four_edges(&self.arena[id]))
        });
        let highest = ranking.highest();
        if highest == Edge::PROVEN_LOSS {
            return None;
        }
        let index = ranking.index_of_best();
        let block = match (index / EDGES_PER_BLOCK).checked_sub(1) {
            None => node.block(),
            Some(number) => self.edge_block(node, number)?,
        };
        let best = EdgeRef::new(block, index % EDGES_PER_BLOCK);
        if let Some(index_block) = index_block(own) {
            own.set(node_word::CACHED_BEST, best.to_word());
            set_bound_of_others(&self.arena[index_block], ranking.bound_of_others());
        }
        Some((best, highest))
    }

    /// Returns the id of an edge block of `node`: a 64-byte block with the statistics of four visited edges. `number`
    /// is the block's index, from 0; the node's own block, with the first two visited edges, does not count. Returns
    /// `None` if there is no such block.
    pub(super) fn edge_block(&self, node: NodeId, mut number: usize) -> Option<BlockId> {
        let own = &self.arena[node];
        let Some(mut index_block) = index_block(own) else {
            let only = (number == 0).then_some(own.get(node_word::ONLY_EDGE_BLOCK));
            return only.and_then(BlockId::from_word);
        };
        while number >= IDS_PER_INDEX_BLOCK {
            index_block = BlockId::from_word(self.arena[index_block].get(NEXT_BLOCK))?;
            number -= IDS_PER_INDEX_BLOCK;
        }
        BlockId::from_word(self.arena[index_block].get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::mcts::tree::edge::{Action, Estimate, PackedEdge, Softmax};
    use crate::mcts::tree::supply::Supply;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use std::cell::Cell;
    use std::cmp::Reverse;

    /// Checks that the edge that a node caches as its best one always has the highest PUCT score, with and without
    /// proven edges.
    #[test]
    fn cached_edge_always_has_the_best_score() {
        let mut random = SmallRng::seed_from_u64(5);
        let (mut cached, mut steps) = ([0, 0], [0, 0]);
        let (mut lost, mut won) = (0, 0);
        let nodes = [1_u32, 5, 7, 23, 90, 108].map(|edges| [(edges, false), (edges, true)]);
        for (edges, with_proofs) in nodes.into_iter().flatten() {
            let (mut tree, mut supply) =
                (Tree::<Cell<u32>>::with_memory(1 << 20), Supply::default());
            tree.fill(&mut supply, 256);
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
            let node = tree.add_node(&mut supply, &packed, softmax, estimate);
            for visits in 0..3000 {
                let explore = 0.3 * (visits as f32).sqrt();
                let floor = tree
                    .best_unvisited(node)
                    .map_or(f32::NEG_INFINITY, |next| next.value + explore * next.prior);
                let mut expected = floor;
                tree.for_each_edge(node, |_, edge| {
                    expected = expected.max(score(edge, explore))
                });
                steps[usize::from(with_proofs)] += 1;
                cached[usize::from(with_proofs)] +=
                    u32::from(tree.cached_best_edge(node, explore).is_some());
                let best = tree.best_above(node, explore, floor);
                let found = best.map_or(floor, |best| score(tree.edge(best), explore));
                assert_eq!(found, expected, "{edges} edges, visit {visits}");
                if found == Edge::PROVEN_LOSS {
                    break;
                }
                let best = best
                    .unwrap_or_else(|| tree.expand_edge(&mut supply, node, |key, _| estimate(key)));
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
                tree.count_visit(best);
                tree.set_mean(best, mean);
            }
        }
        for (cached, steps) in cached.into_iter().zip(steps) {
            assert!(cached > steps / 10, "only {cached} of {steps} were cached");
        }
        assert!(lost > 200 && won > 500, "{lost} losses and {won} wins");
    }
}
