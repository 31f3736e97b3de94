<?php
// Categories, their articles, the authors of these, and the authors' avatars.
require __DIR__ . '/content.php';
$db = connect();

$categories = $db->query('SELECT id, name FROM categories ORDER BY id LIMIT 25')
    ->fetch_all(MYSQLI_ASSOC);
$total = count($categories) < 25 ? count($categories)
    : $db->query('SELECT COUNT(*) FROM categories')->fetch_column();

$articles = grouped($db, 'SELECT l.category_id, a.id, a.title FROM articles_category_links l
    JOIN articles a ON a.id = l.article_id
    WHERE l.category_id IN (?) AND a.published_at IS NOT NULL ORDER BY l.article_order, a.id',
    array_column($categories, 'id'), fn($row) => $row);

$authors = grouped($db, 'SELECT l.article_id, a.id, a.name FROM articles_author_links l
    JOIN authors a ON a.id = l.author_id WHERE l.article_id IN (?)',
    array_column(array_merge(...$articles), 'id'), fn($row) => $row);

$avatars = grouped($db, "SELECT m.related_id, f.id, f.url FROM files_related_morphs m
    JOIN files f ON f.id = m.file_id WHERE m.related_id IN (?)
    AND m.related_type = 'api::author.author' AND m.field = 'avatar'",
    array_unique(array_column(array_merge(...$authors), 'id')),
    fn($row) => entry($row, ['url' => $row['url']]));

$data = [];
foreach ($categories as $category) {
    $list = [];
    foreach ($articles[$category['id']] ?? [] as $article) {
        $author = $authors[$article['id']][0] ?? null;
        $list[] = entry($article, [
            'title' => $article['title'],
            'author' => ['data' => $author ? entry($author, [
                'name' => $author['name'],
                'avatar' => one($avatars[$author['id']] ?? null),
            ]) : null],
        ]);
    }
    $data[] = entry($category, ['name' => $category['name'], 'articles' => ['data' => $list]]);
}
answer($data, $total);
