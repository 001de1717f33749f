/** The state that a running server reports at its port. */
import * as z from 'zod'
import type { Settings } from '../../settings.ts'
import { networkLimit } from './finding.ts'

const readySchema = z.object({ status: z.enum(['starting', 'ready', 'draining', 'unavailable']) })
export type ReportedState = z.output<typeof readySchema>['status']

/** Addresses that mean every address of the machine, and the one to ask. */
const ownAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * Asks the server at the port of the settings for its state.
 *
 * @param settings - The address and the port.
 * @returns The state; undefined when nothing answers there, or another program does.
 */
export async function reportedState({ host, port }: Settings): Promise<ReportedState | undefined> {
  const address = ownAddresses[host] ?? host
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/ready`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(networkLimit), redirect: 'error' })
    return readySchema.safeParse(await answer.json()).data?.status
  } catch {
    return undefined
  }
}
