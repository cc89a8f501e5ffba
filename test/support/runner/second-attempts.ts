import type { Reporter, TestModule } from 'vitest/node';

/** Reports at the end of a run which tests passed only when they were tried again. Each found a race, or has one. */
export class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky),
    );
    if (flaky.length === 0) return;
    console.log(`\nPassed only when they were tried again (${flaky.length}):`);
    for (const test of flaky) {
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const { message } of test.result().errors ?? [])
        console.log(`    ${message.split('\n')[0]}`);
    }
  }
}
