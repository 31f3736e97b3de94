// traps_test.mjs PACKAGES FOLDER [NAME | --at-once]: what nginx/strapi/describe.js says of the traps, of those with NAME in their
// names, or of all in one project, on the Strapi that tests/reference/install put into PACKAGES. Projects are made in FOLDER.
import assert from 'node:assert/strict';
import path from 'node:path';
import { makeProject, describe, secrets } from './project.mjs';
import { verify, done } from './verify.mjs';
import { atOnce, filesOf, traps } from './traps.mjs';

const [packages, folder, named = ''] = process.argv.slice(2);
let made = 0;
const project = (files) => makeProject(path.join(folder, `project-${made++}`), packages, files);

async function described(files, given, options) {
  const { status, out, error } = await describe(project(files), given, options);
  assert.equal(error, '');
  assert.equal(status, 0);
  for (const value of Object.values(secrets).flatMap((text) => text.split(',')))
    assert.ok(!out.includes(value), `${value} is in it`);
  return JSON.parse(out);
}

const example = await described({});
const five = example.strapi.startsWith('5');

// All that is said of a trap's actions: those of the example, but for what the trap's row has.
function wantedActions({ prefix = '/api', handedOver = {}, effects = {}, open = {}, headers, watched, absent = [] }) {
  const wanted = {};
  for (const [uid, actions] of Object.entries(example.actions)) {
    if (absent.includes(uid)) continue;
    wanted[uid] = {};
    for (const [name, { path: url, parameters }] of Object.entries(actions)) {
      const action = { path: prefix + url.slice('/api'.length) };
      const effect = {
        ...effects[uid]?.[name],
        ...(headers && { headers }),
        ...(watched?.(name) && { watched: watched(name) }),
      };
      if (handedOver[uid]?.[name]) action.handedOver = handedOver[uid][name];
      else
        Object.assign(
          action,
          parameters && { parameters },
          Object.keys(effect).length && { effect },
          open[uid]?.includes(name) && { auth: false },
        );
      wanted[uid][name] = action;
    }
  }
  return wanted;
}

function verifyActions(actions, wanted) {
  assert.deepEqual(Object.keys(actions).sort(), Object.keys(wanted).sort());
  for (const [uid, named] of Object.entries(wanted))
    for (const [name, { handedOver, ...rest }] of Object.entries(named)) {
      const { handedOver: reasons, ...said } = actions[uid][name];
      if (said.effect?.watched) said.effect.watched = Object.keys(said.effect.watched);
      assert.deepEqual(said, rest, `${uid} ${name}`);
      assert.equal(Boolean(reasons), Boolean(handedOver), `${uid} ${name}: ${reasons}`);
      if (handedOver) assert.match(reasons.join('; '), handedOver);
    }
}

await verify('the example is served as it is', () => {
  for (const [uid, actions] of Object.entries(example.actions))
    for (const [name, action] of Object.entries(actions))
      assert.deepEqual(
        Object.keys(action).filter((key) => !['path', 'parameters'].includes(key)),
        [],
        `${uid} ${name}`,
      );
  assert.equal(example.handedOver, undefined);
});

async function verifyTrap(trap) {
  const said = await described(filesOf(trap));
  verifyActions(said.actions, wantedActions(trap));
  if (trap.all) assert.match(said.handedOver.join('; '), trap.all);
  else assert.equal(said.handedOver, undefined);
  for (const [name, wanted] of Object.entries(trap.settings || {}))
    assert.deepEqual(
      typeof wanted === 'object' ? { ...said.settings[name], ...wanted } : wanted,
      said.settings[name],
      name,
    );
  for (const [uid, attributes] of Object.entries(trap.attributes || {}))
    for (const [name, wanted] of Object.entries(attributes))
      assert.deepEqual(said.contentTypes[uid].attributes[name], wanted);
  for (const uid of trap.absent || []) assert.equal(said.contentTypes[uid], undefined);
}

if (named === '--at-once')
  await verify('all traps at once', () => verifyTrap(atOnce(traps(five).filter(({ watched }) => !watched))));
else
  for (const trap of traps(five).filter(({ name }) => name.includes(named)))
    await verify(trap.name, () => verifyTrap(trap));
done();
