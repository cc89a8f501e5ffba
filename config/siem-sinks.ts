import type { Container } from 'inversify';
import { JobBeats } from '../adapters/jobs/job-beats.ts';
import { repeat, type RunningJob } from '../adapters/jobs/repeat.ts';
import { FileSink } from '../adapters/sinks/file-sink.ts';
import { HttpSink } from '../adapters/sinks/http-sink.ts';
import type { Log } from '../application/ports/log.port.ts';
import { PushEvents, SINK_LEASE_MS, sinkJobOf } from '../application/siem/push-events.ts';
import { SiemLines } from '../application/siem/siem-lines.ts';
import type { SiemSink } from '../application/siem/siem-sink.port.ts';
import { SiemWalks } from '../application/siem/siem-walk.ts';
import type { SinkName } from '../application/siem/sink-positions.port.ts';
import { TOKENS } from './tokens.ts';

/** Pushes events to the sinks that the settings name, each from one node at a time. */
export const startSinks = (container: Container, log: Log): readonly RunningJob[] => {
  const { SIEM_FILE_PATH, SIEM_FILE_MAX_BYTES, SIEM_HTTP_URL, SIEM_HTTP_TOKEN, SIEM_HTTP_SECRET } =
    container.get(TOKENS.settings);
  const jobs: RunningJob[] = [];
  if (SIEM_FILE_PATH !== '') {
    const sink = new FileSink({ path: SIEM_FILE_PATH, maxBytes: SIEM_FILE_MAX_BYTES });
    const reopen = (): void => sink.reopen();
    // Without a listener the signal would end the process.
    process.on('SIGHUP', reopen);
    const job = push(container, log, 'file', sink);
    const stop = async (): Promise<void> => {
      await job.stop();
      process.off('SIGHUP', reopen);
    };
    jobs.push({ stop });
  }
  if (SIEM_HTTP_URL !== '') {
    const sink = new HttpSink(container.get(TOKENS.egressPost), {
      url: SIEM_HTTP_URL,
      token: SIEM_HTTP_TOKEN || null,
      secret: SIEM_HTTP_SECRET || null,
    });
    jobs.push(push(container, log, 'http', sink));
  }
  return jobs;
};

const push = (container: Container, log: Log, name: SinkName, sink: SiemSink): RunningJob => {
  const { SIEM_PUSH_FORMAT, SIEM_PUSH_BATCH_SIZE, SIEM_PUSH_FLUSH_MS } = container.get(
    TOKENS.settings,
  );
  const { sinkPositions, jobLeases } = container.get(TOKENS.sql);
  const events = new PushEvents(
    sink,
    container.get(SiemWalks),
    sinkPositions,
    container.get(SiemLines),
    jobLeases,
    log,
    {
      name,
      format: SIEM_PUSH_FORMAT,
      batchSize: SIEM_PUSH_BATCH_SIZE,
      flushMs: SIEM_PUSH_FLUSH_MS,
    },
  );
  const job = {
    name: sinkJobOf(name),
    everyMs: 1_000,
    leaseMs: SINK_LEASE_MS,
    isEndless: true,
    // It runs until it is stopped.
    isNeeded: () => Promise.resolve(true),
    run: (stopping: AbortSignal) => events.run(stopping),
  };
  return repeat(job, jobLeases, container.get(JobBeats), log);
};
