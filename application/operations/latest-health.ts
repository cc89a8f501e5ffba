import type { HealthReport, JudgeHealth } from './judge-health.ts';

/** How long a look may take before what was known last is good enough, ms. */
const WAIT_MS = 300;

/** The newest report that is at hand soon, for whoever asks every few seconds. Looks are shared and never pile up. */
export class LatestHealth {
  private last: HealthReport | null = null;
  private underWay: Promise<void> | null = null;

  constructor(private readonly judge: Pick<JudgeHealth, 'report'>) {}

  async take(): Promise<HealthReport | null> {
    this.underWay ??= this.look().finally(() => (this.underWay = null));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS);
    });
    await Promise.race([this.underWay, late]);
    clearTimeout(timer);
    return this.last;
  }

  private async look(): Promise<void> {
    this.last = await this.judge.report();
  }
}
