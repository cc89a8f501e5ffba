import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { rootCertificates } from 'node:tls';

/** Connections to the collector, which end when they are told to: one that hangs must not keep the process alive. */
export class ClosingAgents {
  private readonly agents: HttpAgent[] = [];
  private isClosed = false;

  constructor(private readonly ca: string | null) {}

  of(protocol: string): HttpAgent {
    const options: AgentOptions = { keepAlive: true };
    const agent =
      protocol === 'https:'
        ? new HttpsAgent({ ...options, ...(this.ca ? { ca: [...rootCertificates, this.ca] } : {}) })
        : new HttpAgent(options);
    const { createConnection } = agent;
    agent.createConnection = (...how) => {
      // The exporter comes again after a pause, also when it was told to end.
      if (this.isClosed) throw new Error('traces are closed');
      return createConnection.apply(agent, how);
    };
    this.agents.push(agent);
    return agent;
  }

  close(): void {
    this.isClosed = true;
    for (const agent of this.agents) agent.destroy();
  }
}
