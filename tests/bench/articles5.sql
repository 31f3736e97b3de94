-- 500,000 more rows of articles on the example of Strapi 5 (tests/data/ks5): 250,000 documents, which have a row each
-- as draft, followed by one as published unless they are among the 2 % that are drafts alone; 80 % en; 12 categories
-- of some 20,833 documents each, 20 tags of some 25,000, 10 authors of 25,000. Both rows of a document have the same
-- links, to the same rows, since none of these types has drafts. `large` writes another number in its place.
SET foreign_key_checks = 0, unique_checks = 0;
INSERT INTO articles (document_id, title, slug, excerpt, body, is_featured, view_count, created_at, updated_at,
                      published_at, locale)
  SELECT left(concat('a', sha1(n)), 24), concat('Article ', crc32(n)), concat('mill-', n),
         'An excerpt of some words that is shown in lists', repeat('lorem ipsum dolor ', 40), n % 7 = 0,
         crc32(n) % 100000, now(6) - interval n second, now(6) - interval n second,
         if(seq % 2, null, now(6) - interval n second), if(n % 5 = 0, 'fr', 'en')
  FROM (SELECT seq, (seq + 1) DIV 2 AS n FROM seq_1_to_500000) AS numbered WHERE seq % 2 OR n % 50;
CREATE TEMPORARY TABLE made (id int unsigned PRIMARY KEY, n int unsigned)
  SELECT id, cast(substr(slug, 6) AS unsigned) AS n FROM articles WHERE slug LIKE 'mill-%';
INSERT INTO articles_category_lnk (article_id, category_id, article_ord) SELECT id, 1 + n % 12, n FROM made;
INSERT INTO articles_tags_lnk (article_id, tag_id, tag_ord, article_ord) SELECT id, 1 + n % 20, 1, n FROM made;
INSERT INTO articles_tags_lnk (article_id, tag_id, tag_ord, article_ord) SELECT id, 1 + (n + 7) % 20, 2, n FROM made;
INSERT INTO articles_author_lnk (article_id, author_id, article_ord) SELECT id, 1 + n % 10, n FROM made;
ANALYZE TABLE articles, articles_category_lnk, articles_tags_lnk, articles_author_lnk;
