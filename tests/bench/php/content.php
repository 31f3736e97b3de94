<?php
// What the scripts here share. They are written as one writes them by hand for one request: the columns
// it needs, one statement a relation, no more layers than this.

function connect(): mysqli {
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $db = mysqli_init();
    $db->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, true);
    $db->options(MYSQLI_SET_CHARSET_NAME, 'utf8mb4');
    $db->real_connect('p:localhost', 'populate', 'populate', $_SERVER['DATABASE'], 0,
        $_SERVER['DATABASE_SOCKET']);
    return $db;
}

// The rows of a statement, by their first column, in order. IN (?) becomes the ids.
function grouped(mysqli $db, string $sql, array $ids, callable $make): array {
    $groups = [];
    if (!$ids) return $groups;
    $rows = $db->query(str_replace('(?)', '(' . implode(',', $ids) . ')', $sql));
    foreach ($rows as $row) $groups[array_shift($row)][] = $make($row);
    return $groups;
}

function time_of(?string $value): ?string {
    return $value === null ? null : substr($value, 0, 10) . 'T' . substr($value, 11, 12) . 'Z';
}

function flag(?int $value): ?bool {
    return $value === null ? null : $value === 1;
}

function json(?string $text): mixed {
    return $text === null ? null : json_decode($text);
}

function entry(array $row, array $attributes): array {
    return ['id' => $row['id'], 'attributes' => $attributes];
}

function one(?array $rows): array {
    return ['data' => $rows[0] ?? null];
}

function answer(array $data, int $total): void {
    header('Content-Type: application/json; charset=utf-8');
    echo json_encode(['data' => $data, 'meta' => ['pagination' => [
        'page' => 1, 'pageSize' => 25, 'pageCount' => (int) ceil($total / 25), 'total' => $total,
    ]]], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}
