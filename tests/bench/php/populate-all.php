<?php
// The first page of the English articles, with all that they refer to.
require __DIR__ . '/content.php';
$db = connect();

const ARTICLE = 'a.id, a.title, a.slug, a.excerpt, a.body, a.content, a.workflow, a.contact_email,
    a.is_featured, a.view_count, a.rating_2, a.meta_json, a.publish_date, a.created_at, a.updated_at,
    a.published_at, a.locale';

function article(array $row): array {
    return entry($row, [
        'title' => $row['title'], 'slug' => $row['slug'], 'excerpt' => $row['excerpt'],
        'body' => $row['body'], 'content' => json($row['content']), 'workflow' => $row['workflow'],
        'contactEmail' => $row['contact_email'], 'isFeatured' => flag($row['is_featured']),
        'view_count' => $row['view_count'], 'rating2' => $row['rating_2'],
        'metaJson' => json($row['meta_json']), 'publishDate' => $row['publish_date'],
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
        'publishedAt' => time_of($row['published_at']), 'locale' => $row['locale'],
    ]);
}

function author(array $row): array {
    return entry($row, [
        'name' => $row['name'], 'email' => $row['email'], 'bio' => $row['bio'],
        'birthDate' => $row['birth_date'], 'score_1' => $row['score_1'],
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
    ]);
}

function upload(array $row): array {
    return entry($row, [
        'name' => $row['name'], 'alternativeText' => $row['alternative_text'],
        'caption' => $row['caption'], 'width' => $row['width'], 'height' => $row['height'],
        'formats' => json($row['formats']), 'hash' => $row['hash'], 'ext' => $row['ext'],
        'mime' => $row['mime'], 'size' => $row['size'] === null ? null : (float) $row['size'],
        'url' => $row['url'], 'previewUrl' => $row['preview_url'], 'provider' => $row['provider'],
        'provider_metadata' => json($row['provider_metadata']),
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
    ]);
}

$shown = "a.locale = 'en' AND a.published_at IS NOT NULL";
$rows = $db->query('SELECT ' . ARTICLE . " FROM articles a WHERE $shown ORDER BY a.id LIMIT 25")
    ->fetch_all(MYSQLI_ASSOC);
$total = count($rows) < 25 ? count($rows)
    : $db->query("SELECT COUNT(*) FROM articles a WHERE $shown")->fetch_column();
$ids = array_column($rows, 'id');

$media = grouped($db, "SELECT m.related_id, m.field, f.id, f.name, f.alternative_text, f.caption,
    f.width, f.height, f.formats, f.hash, f.ext, f.mime, f.size, f.url, f.preview_url, f.provider,
    f.provider_metadata, f.created_at, f.updated_at
    FROM files_related_morphs m JOIN files f ON f.id = m.file_id
    WHERE m.related_id IN (?) AND m.related_type = 'api::article.article'
    AND m.field IN ('cover', 'gallery', 'attachments') ORDER BY m.order, f.id",
    $ids, fn($row) => [$row['field'], upload($row)]);

$categories = grouped($db, 'SELECT l.article_id, c.id, c.name, c.slug, c.description, c.order_no,
    c.created_at, c.updated_at FROM articles_category_links l
    JOIN categories c ON c.id = l.category_id WHERE l.article_id IN (?)', $ids,
    fn($row) => entry($row, [
        'name' => $row['name'], 'slug' => $row['slug'], 'description' => $row['description'],
        'order_no' => $row['order_no'],
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
    ]));

$author_columns = 'a.id, a.name, a.email, a.bio, a.birth_date, a.score_1, a.created_at, a.updated_at';
$authors = grouped($db, "SELECT l.article_id, $author_columns FROM articles_author_links l
    JOIN authors a ON a.id = l.author_id WHERE l.article_id IN (?)", $ids, 'author');
$coauthors = grouped($db, "SELECT l.article_id, $author_columns FROM articles_co_authors_links l
    JOIN authors a ON a.id = l.author_id WHERE l.article_id IN (?) ORDER BY l.author_order, a.id",
    $ids, 'author');

$tags = grouped($db, 'SELECT l.article_id, t.id, t.name, t.slug, t.weight, t.created_at, t.updated_at
    FROM articles_tags_links l JOIN tags t ON t.id = l.tag_id
    WHERE l.article_id IN (?) ORDER BY l.tag_order, t.id', $ids,
    fn($row) => entry($row, [
        'name' => $row['name'], 'slug' => $row['slug'], 'weight' => $row['weight'],
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
    ]));

$related = grouped($db, 'SELECT l.article_id, ' . ARTICLE . ' FROM articles_related_articles_links l
    JOIN articles a ON a.id = l.inv_article_id WHERE l.article_id IN (?)
    AND a.published_at IS NOT NULL ORDER BY l.article_order, a.id', $ids, 'article');
$translations = grouped($db, 'SELECT l.article_id, ' . ARTICLE . ' FROM articles_localizations_links l
    JOIN articles a ON a.id = l.inv_article_id WHERE l.article_id IN (?)
    AND a.published_at IS NOT NULL ORDER BY l.article_order, a.id', $ids, 'article');

$comments = grouped($db, "SELECT m.related_id, c.id, c.content, c.author_name, c.created_at,
    c.updated_at FROM comments_related_morphs m JOIN comments c ON c.id = m.comment_id
    WHERE m.related_id IN (?) AND m.related_type = 'api::article.article' AND m.field = 'comments'
    ORDER BY m.order, c.id", $ids,
    fn($row) => entry($row, [
        'content' => $row['content'], 'authorName' => $row['author_name'],
        'createdAt' => time_of($row['created_at']), 'updatedAt' => time_of($row['updated_at']),
    ]));

$seos = grouped($db, "SELECT l.entity_id, s.id, s.meta_title, s.meta_description, s.keywords,
    s.prevent_indexing, s.canonical_url, s.structured_data FROM articles_components l
    JOIN components_shared_seos s ON s.id = l.component_id
    WHERE l.entity_id IN (?) AND l.field = 'seo'", $ids,
    fn($row) => [
        'id' => $row['id'], 'metaTitle' => $row['meta_title'],
        'metaDescription' => $row['meta_description'], 'keywords' => $row['keywords'],
        'preventIndexing' => flag($row['prevent_indexing']),
        'canonical_url' => $row['canonical_url'], 'structuredData' => json($row['structured_data']),
    ]);
$sections = grouped($db, "SELECT l.entity_id, s.id, s.heading, s.body, s.anchor
    FROM articles_components l JOIN components_layout_sections s ON s.id = l.component_id
    WHERE l.entity_id IN (?) AND l.field = 'sections' ORDER BY l.order, s.id", $ids,
    fn($row) => $row);

$data = [];
foreach ($rows as $row) {
    $id = $row['id'];
    $files = [];
    foreach ($media[$id] ?? [] as [$field, $file]) $files[$field][] = $file;
    $article = article($row);
    $article['attributes'] += [
        'cover' => one($files['cover'] ?? null),
        'gallery' => ['data' => $files['gallery'] ?? null],
        'attachments' => ['data' => $files['attachments'] ?? null],
        'category' => one($categories[$id] ?? null),
        'author' => one($authors[$id] ?? null),
        'coAuthors' => ['data' => $coauthors[$id] ?? []],
        'tags' => ['data' => $tags[$id] ?? []],
        'relatedArticles' => ['data' => $related[$id] ?? []],
        'comments' => ['data' => $comments[$id] ?? null],
        'seo' => $seos[$id][0] ?? null,
        'sections' => $sections[$id] ?? [],
        'localizations' => ['data' => $translations[$id] ?? []],
    ];
    $data[] = $article;
}
answer($data, $total);
