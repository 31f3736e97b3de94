// node content.js PROJECT FOLDER: content for any project's types, as `import` takes it: of each type three entries in
// en and fr, a single type one, with a value in each attribute, one file, and all of it public.
const fs = require('fs');
const path = require('path');
const [project, folder] = process.argv.slice(2);

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const list = (...names) => {
  const at = path.join(project, 'src', ...names);
  return fs.existsSync(at) ? fs.readdirSync(at).filter((name) => !name.startsWith('.')) : [];
};
const types = {};
for (const api of list('api'))
  for (const name of list('api', api, 'content-types'))
    types[`api::${api}.${name}`] = read(path.join(project, 'src/api', api, 'content-types', name, 'schema.json'));
const components = {};
for (const category of list('components'))
  for (const file of list('components', category))
    components[`${category}.${path.parse(file).name}`] = read(path.join(project, 'src/components', category, file));

const idsOf = (uid) => (types[uid].kind === 'singleType' ? [1] : [1, 2, 3]);

// What entry `id` in `locale` has as this attribute; undefined where the other side says it.
function value(name, attribute, { uid, id, locale }) {
  const at = { uid, id, locale };
  const text = `${name} ${id} ${locale}`;
  switch (attribute.type) {
    case 'relation': {
      const ids = types[attribute.target] && idsOf(attribute.target);
      if (!ids || attribute.mappedBy) return undefined;
      const row = (n) => (types[attribute.target].pluginOptions?.i18n?.localized && locale === 'fr' ? n + 10 : n);
      const one = row(ids[id % ids.length]);
      if (attribute.relation === 'manyToMany' || attribute.relation === 'oneToMany' && !attribute.inversedBy)
        return [one, row(ids[(id + 1) % ids.length])].filter((n, i, all) => all.indexOf(n) === i);
      return attribute.relation === 'oneToMany' ? [one] : one;
    }
    case 'media':
      return attribute.multiple ? [1] : 1;
    case 'component': {
      const made = object(components[attribute.component].attributes, at);
      return attribute.repeatable ? [made, object(components[attribute.component].attributes, at)] : made;
    }
    case 'dynamiczone':
      return attribute.components.map((part) => ({ __component: part, ...object(components[part].attributes, at) }));
    case 'uid':
      return `${types[uid].info.singularName}-${id}`;
    case 'integer':
    case 'biginteger':
    case 'decimal':
    case 'float':
      return id * 10;
    case 'boolean':
      return id % 2 === 0;
    case 'enumeration':
      return attribute.enum[id % attribute.enum.length];
    case 'json':
      return { [name]: id };
    case 'blocks':
      return [{ type: 'paragraph', children: [{ type: 'text', text }] }];
    case 'date':
      return `2026-01-0${id}`;
    case 'datetime':
      return `2026-01-0${id}T10:00:00.000Z`;
    case 'time':
      return `1${id}:00:00.000`;
    case 'email':
      return `${name}${id}@example.com`;
    default:
      return text.padEnd(attribute.minLength ?? 0, '.').slice(0, attribute.maxLength);
  }
}

function object(attributes, at) {
  const made = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const found = value(name, attribute, at);
    if (found !== undefined) made[name] = found;
  }
  return made;
}

// Of a localized type the row in fr has the number of that in en, and ten.
fs.mkdirSync(folder);
for (const [uid, type] of Object.entries(types)) {
  const lines = [];
  const localized = type.pluginOptions?.i18n?.localized;
  for (const id of idsOf(uid))
    for (const locale of localized ? ['en', 'fr'] : ['en']) {
      const row = locale === 'fr' ? id + 10 : id;
      const entry = { id: row, publishedAt: '2026-02-01T10:00:00.000Z', ...object(type.attributes, { uid, id, locale }) };
      if (localized) Object.assign(entry, { locale, localizations: [locale === 'fr' ? id : id + 10] });
      lines.push(JSON.stringify(entry));
    }
  fs.writeFileSync(path.join(folder, `${uid}.ndjson`), lines.join('\n') + '\n');
}
const image = { id: 1, name: 'a.png', hash: 'a', ext: '.png', mime: 'image/png', size: 1.5, url: '/uploads/a.png' };
fs.writeFileSync(path.join(folder, 'files.ndjson'), JSON.stringify({ ...image, width: 2, height: 2, provider: 'local' }) + '\n');
const locales = { default: 'en', list: [{ code: 'en', name: 'English' }, { code: 'fr', name: 'French' }] };
fs.writeFileSync(path.join(folder, 'locales.json'), JSON.stringify(locales));
fs.writeFileSync(path.join(folder, 'access.json'), JSON.stringify({ public: Object.keys(types) }));
