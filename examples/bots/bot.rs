// The smallest complete bot for the Game of the Amazons on Botzone, in Rust without crates: a place to start from.
// Botzone 亚马逊棋最小的完整 Bot（Rust，不用任何 crate）：从这里写出你自己的 Bot。
use std::{io::{stdin, stdout, Write}, iter::successors};
type Board = [u8; 100]; // (x, y) is at 10 * y + x + 11; . empty, B black, W white, # arrow or wall / . 空格，# 箭或围墙
type Move = [usize; 3]; // squares: from, to, arrow / 三个格子：起点、落点、箭
const START: Board = *b"###########..B..B..##........##B......B##........##........##W......W##........##..W..W..###########";
const KEYS: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

fn reach(board: &Board, square: usize) -> Vec<usize> { // where a queen goes from here / 从这一格按后的走法能到达的格子
    let next = |at: usize, step: isize| Some(at.wrapping_add_signed(step)).filter(|&at| board[at] == b'.');
    let ray = |step| successors(next(square, step), move |&at| next(at, step));
    [-11, -10, -9, -1, 1, 9, 10, 11].into_iter().flat_map(ray).collect()
}
fn legal_moves(board: &Board, player: u8) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in (0..100).filter(|&at| board[at] == player) {
        let mut lifted = *board;
        lifted[from] = b'.'; // the arrow may fly over the square just left / 箭可以经过刚离开的格子
        let turns = |to| reach(&lifted, to).into_iter().map(move |arrow| [from, to, arrow]);
        moves.extend(reach(&lifted, from).into_iter().flat_map(turns));
    }
    moves
}
// Plays a move, whoever's it is / 走一步棋，不论是哪一方的
fn play(board: &mut Board, [from, to, arrow]: Move) { board.swap(from, to); board[arrow] = b'#'; }
fn mobility(board: &Board, player: u8) -> isize {
    (0..100).filter(|&at| board[at] == player).map(|at| reach(board, at).len() as isize).sum()
}
fn choose(board: &Board, [me, opponent]: [u8; 2]) -> Move { // after it I am freest / 走后我方比对方最自由的一步
    let value = |&turn: &Move| { // put your own ideas here / 在此写你的想法
        let mut after = *board;
        play(&mut after, turn);
        mobility(&after, me) - mobility(&after, opponent)
    };
    legal_moves(board, me).into_iter().max_by_key(value).expect("nobody is asked without a move")
}
// -1 -1 -1 -1 -1 -1, "nobody has moved", becomes three times square 0 of the wall. 全为 -1 表示还没有人走过，对应围墙上的第 0 格。
fn move_of(n: &[isize]) -> Move { [0, 2, 4].map(|at| (10 * n[at + 1] + n[at] + 11) as usize) }
// The moves in a list of a JSON text, whose keys come in any order. JSON 文本中一个列表里的着法；键的次序不定。
fn moves_of(json: &str, list: &str) -> Vec<Move> {
    let number = |object: &str, key: &str| {
        let (_, value) = object.split_once(key)?;
        value.split(',').next()?.trim_matches(['"', ':', ' ']).parse().ok()
    };
    let text = json.split_once(list).map_or("", |(_, rest)| rest);
    let objects = text.split(']').next().unwrap_or("").split('}');
    let numbers = objects.map(|object| KEYS.iter().filter_map(|key| number(object, key)).collect::<Vec<_>>());
    numbers.filter(|numbers| numbers.len() == 6).map(|numbers| move_of(&numbers)).collect()
}
fn main() {
    let mut board = START;
    let (mut record, mut count) = (Vec::new(), 0); // moves of this turn, and how many it brings / 本回合的着法及其数目
    let mut players = None; // me and the opponent: the first turn brings the whole record / 我方与对方：第一个回合带来完整记录
    for line in stdin().lines().map_while(Result::ok) {
        let numbers: Vec<isize> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let is_json = line.contains('{');
        if is_json {
            record = moves_of(&line, if players.is_none() { "\"requests\"" } else { "{" });
            for (turn, own) in moves_of(&line, "\"responses\"").into_iter().enumerate() {
                record.insert(2 * turn + 1, own);
            }
            count = record.len();
        }
        if numbers.len() == 6 { record.push(move_of(&numbers)); }
        if numbers.len() == 1 && count == 0 { count = 2 * numbers[0] as usize - 1; }
        if count == 0 || record.len() < count { continue; }
        let players = *players.get_or_insert(if record[0] == [0; 3] { [b'B', b'W'] } else { [b'W', b'B'] });
        record.drain(..).for_each(|turn| play(&mut board, turn));
        let turn = choose(&board, players);
        play(&mut board, turn);
        let n = turn.map(|at| [at % 10 - 1, at / 10 - 1]).concat();
        if is_json { println!(r#"{{"response":{{"x0":{},"y0":{},"x1":{},"y1":{},"x2":{},"y2":{}}}}}"#, n[0], n[1], n[2], n[3], n[4], n[5]); }
        else { println!("{} {} {} {} {} {}", n[0], n[1], n[2], n[3], n[4], n[5]); }
        // "Send me the next turn in this process", flushed so that it arrives / 请求长时运行；必须 flush 才能送达
        println!(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<");
        stdout().flush().expect("somebody reads");
        count = 1;
    }
}
