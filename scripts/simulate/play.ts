/** Runs the people of a simulation: one client for each person, until the scene ends. */
import { RandomDraws } from '../lib/draws.ts'
import { ChatClient } from './client.ts'
import { playConsultant } from './consultant.ts'
import { playCustomer } from './customer.ts'
import type { EventFate } from './client-socket.ts'
import type { TestCast, Person } from './people.ts'
import type { ChatScene } from './scene.ts'

export interface PlayOutcome {
  clients: readonly ChatClient[]
  /** Promise that resolves when all simulated people have finished. */
  playedScenes: Promise<unknown>
}

export interface PlayOptions {
  testCast: TestCast
  chatScene: ChatScene
  /** Seed that fixes the choices of each person in every run; the order between people stays open. */
  seed: number
  /** Returns the server's address for the client with a number. */
  urlOf: (index: number) => string
  chooseFate?: (() => EventFate) | undefined
}

/**
 * Starts the simulation. A client whose person fails by an error, not by a refusal, records it in its faults.
 */
export function playScene({
  testCast: cast,
  chatScene: scene,
  seed,
  urlOf,
  chooseFate: drawFate,
}: PlayOptions): PlayOutcome {
  const startPerson = (me: Person, index: number) =>
    new ChatClient(me, scene.tally, { url: urlOf(index), token: me.token, chooseFate: drawFate })
  const people = [...cast.customers, ...cast.consultants]
  const clients = people.map(startPerson)
  const playedScenes = clients.map(async (client, index) => {
    const draws = new RandomDraws(seed, index)
    try {
      await (client.me.isConsultant ? playConsultant(client, draws, scene) : playCustomer(client, draws, scene))
    } catch (error) {
      client.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  })
  return { clients, playedScenes: Promise.all(playedScenes) }
}
