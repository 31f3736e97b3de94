// The demo as its content files have it, which is what clients of the stack are to show.
import { readFileSync } from 'node:fs';

export const api = `${process.env.STACK_URL}/api`;

const folder = process.env.DEMO_CONTENT;
const entries = (uid) =>
  readFileSync(`${folder}/${uid}.ndjson`, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

export const articles = entries('api::article.article').filter(({ locale, publishedAt }) => locale === 'en' && publishedAt);
export const article = (id) => articles.find((one) => one.id === id);
export const authors = new Map(entries('api::author.author').map((one) => [one.id, one]));
export const categories = new Map(entries('api::category.category').map((one) => [one.id, one]));
export const tags = new Map(entries('api::tag.tag').map((one) => [one.id, one]));

export const mostRead = (some) => [...some].sort((a, b) => b.viewCount - a.viewCount);
