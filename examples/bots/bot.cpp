// The smallest complete bot for the Game of the Amazons on Botzone, in C++11: a place to start from.
// Botzone 亚马逊棋最小的完整 Bot（C++11）：从这里写出你自己的 Bot。
#include <bits/stdc++.h>
using namespace std;
typedef string Board;       // (x, y) is at 10 * y + x + 11; . empty, B black, W white, # arrow or wall / . 空格，# 箭或围墙
typedef array<int, 3> Move; // squares: from, to, arrow / 三个格子：起点、落点、箭
const char* const KEYS[] = {"\"x0\"", "\"y0\"", "\"x1\"", "\"y1\"", "\"x2\"", "\"y2\""};

vector<int> reach(const Board& board, int square) { // where a queen goes from here / 从这一格按后的走法能到达的格子
    vector<int> squares;
    for (int step : {-11, -10, -9, -1, 1, 9, 10, 11})
        for (int at = square + step; board[at] == '.'; at += step) squares.push_back(at);
    return squares;
}
vector<Move> legal_moves(Board board, char player) {
    vector<Move> moves;
    for (int from = 0; from < 100; from++) if (board[from] == player) {
        board[from] = '.'; // the arrow may fly over the square just left / 箭可以经过刚离开的格子
        for (int to : reach(board, from))
            for (int arrow : reach(board, to)) moves.push_back({{from, to, arrow}});
        board[from] = player;
    }
    return moves;
}
// Plays a move, whoever's it is / 走一步棋，不论是哪一方的
void play(Board& board, const Move& move) { swap(board[move[0]], board[move[1]]), board[move[2]] = '#'; }
Move choose(const Board& board, char me) { // the move after which I am freest / 走后我方比对方最自由的一步
    pair<int, Move> best(-1000, Move());
    for (const Move& move : legal_moves(board, me)) {
        Board after = board;
        play(after, move);
        int value = 0; // put your own ideas here / 在此写你的想法
        for (int at = 0; at < 100; at++)
            if (after[at] == 'B' || after[at] == 'W') value += (after[at] == me ? 1 : -1) * int(reach(after, at).size());
        if (value > best.first) best = make_pair(value, move);
    }
    return best.second;
}
// -1 -1 -1 -1 -1 -1, "nobody has moved", becomes three times square 0 of the wall. 全为 -1 表示还没有人走过，对应围墙上的第 0 格。
Move move_of(const vector<int>& n) { return {{10 * n[1] + n[0] + 11, 10 * n[3] + n[2] + 11, 10 * n[5] + n[4] + 11}}; }

void read_list(const string& json, const string& list, int ply, map<int, Move>& record) { // every other ply / 每隔一步
    size_t at = json.find(list), end = json.find(']', at);
    for (; at != string::npos && (at = json.find(KEYS[0], at + 1)) < end; ply += 2) {
        vector<int> numbers;
        for (string key : KEYS) // in any order / 键的次序不定
            numbers.push_back(stoi(json.substr(json.find(':', json.find(key, json.rfind('{', at))) + 1)));
        record[ply] = move_of(numbers);
    }
}
int main() {
    Board board = "###########..B..B..##........##B......B##........##........##W......W##........##..W..W..###########";
    char me = 0; size_t count = 0; // my colour, told by the first turn; moves that a turn brings / 我方颜色由第一个回合得知；一个回合带来几步
    map<int, Move> record;
    for (string line; getline(cin, line);) {
        istringstream words(line);
        vector<int> numbers((istream_iterator<int>(words)), istream_iterator<int>());
        bool is_json = line.find('{') != string::npos;
        if (is_json) {
            read_list(line, me ? "{" : "\"requests\"", 0, record);
            read_list(line, "\"responses\"", 1, record);
            count = record.size();
        } else if (numbers.size() == 6) record.insert(make_pair(record.size(), move_of(numbers)));
        else if (numbers.size() == 1 && !count) count = 2 * numbers[0] - 1;
        if (!count || record.size() < count) continue;
        if (!me) me = record[0][0] == 0 ? 'B' : 'W';
        for (const auto& entry : record) play(board, entry.second);
        Move move = choose(board, me);
        play(board, move);
        for (int i = 0; i < 6; i++) {
            int number = (i % 2 ? move[i / 2] / 10 : move[i / 2] % 10) - 1;
            if (is_json) cout << (i ? "," : "{\"response\":{") << KEYS[i] << ":" << number;
            else cout << (i ? " " : "") << number;
        }
        // "Send me the next turn in this process", flushed so that it arrives / 请求长时运行；必须 flush 才能送达
        cout << (is_json ? "}}" : "") << "\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<" << endl;
        record.clear(), count = 1;
    }
}
