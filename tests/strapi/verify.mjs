// Counts what holds, as tests/run reads it.
let passed = 0;
let failed = 0;

export async function verify(name, check) {
  try {
    await check();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`${name}: failed\n${error.message}`);
  }
}

export function done() {
  console.log(`${passed} test cases out of ${passed + failed} passed`);
  process.exitCode = failed ? 1 : 0;
}
