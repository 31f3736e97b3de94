-- 500,000 more articles on the example of Strapi 4 (tests/data/ks): 80 % en, 2 % drafts; 12 categories of some 41,676
-- articles each, 20 tags of some 50,000, 10 authors of some 50,000. `large` writes another number in its place.
SET foreign_key_checks = 0, unique_checks = 0;
INSERT INTO articles (title, slug, excerpt, body, is_featured, view_count, created_at, updated_at, published_at, locale)
  SELECT concat('Article ', crc32(seq)), concat('mill-', seq), 'An excerpt of some words that is shown in lists',
         repeat('lorem ipsum dolor ', 40), seq % 7 = 0, crc32(seq) % 100000, now(6) - interval seq second, now(6),
         if(seq % 50 = 0, null, now(6) - interval seq second), if(seq % 5 = 0, 'fr', 'en')
  FROM seq_1_to_500000;
INSERT INTO articles_category_links (article_id, category_id, article_order)
  SELECT id, 1 + id % 12, id FROM articles WHERE slug LIKE 'mill-%';
INSERT INTO articles_tags_links (article_id, tag_id, tag_order, article_order)
  SELECT id, 1 + id % 20, 1, id FROM articles WHERE slug LIKE 'mill-%';
INSERT INTO articles_tags_links (article_id, tag_id, tag_order, article_order)
  SELECT id, 1 + (id + 7) % 20, 2, id FROM articles WHERE slug LIKE 'mill-%';
INSERT IGNORE INTO articles_author_links (article_id, author_id, article_order)
  SELECT id, 1 + id % 10, id FROM articles WHERE slug LIKE 'mill-%';
ANALYZE TABLE articles, articles_category_links, articles_tags_links, articles_author_links;
