import type { Reporter, TestModule } from 'vitest/node';

/** Tells at the end of a run which tests passed at a second attempt only: each is a race of the test or of the service, to be looked at. */
export class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky),
    );
    if (flaky.length === 0) return;
    console.log(`\nPassed at the second attempt only (${flaky.length}):`);
    for (const test of flaky)
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}\n${firstFault(test)}`);
  }
}

const firstFault = (test: { result(): { errors?: readonly { message: string }[] | undefined } }) =>
  (test.result().errors ?? []).map(({ message }) => `    ${message.split('\n')[0]}`).join('\n');
