/**
 * Proof that letters and pushes of notices are neither lost nor doubled: events are added twice by two writers at
 * once, the server is killed while it sends them, and each event has one letter and one push after the restart.
 * A folder is the push service of the reader's browser.
 * `node scripts/proofs/notices.ts --events 1000`
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { notifyUsers } from '../../packages/server/src/domain/delivery/notices.ts'
import { stop } from '../lib/processes.ts'
import { browserOf } from '../../packages/server/src/testing/push-browser.ts'
import { ownerEmail, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'

const limit = 300_000

/** Adds the events to a stopped server's database, each by two writers. */
async function addEvents(dataDir: string, events: number): Promise<void> {
  const database = await openDatabase({ dataDir })
  try {
    await migrateDatabase(database)
    const [owner] = await database.query(sql<{ id: number }>`
      update users set language = 'en' where email = ${ownerEmail} returning id`)
    const add = (event: number) =>
      database.transaction((trx) =>
        notifyUsers(trx, {
          users: [owner?.id ?? 0],
          kind: 'consultation.overdue',
          params: { customer: `customer-${event}.` },
          address: null,
          key: `${event}`,
        }),
      )
    for (let event = 0; event < events; event += 1) await Promise.all([add(event), add(event)])
  } finally {
    await database.close()
  }
}

/** Folders of what was sent. */
interface DeliveryFolders {
  letters: string
  pushes: string
}

interface StoredNotices {
  notices: number
  letters: number
  pushes: number
  repeatedLetters: number
  repeatedPushes: number
}

async function readStoredNotices(dataDir: string): Promise<StoredNotices | undefined> {
  const database = await openDatabase({ dataDir })
  try {
    const [storedNotices] = await database.query(sql<StoredNotices>`
      select (select count(*)::int from notices where kind = 'consultation.overdue') as notices,
             (count(*) filter (where state = 'sent' and channel = 'letter'))::int as letters,
             (count(*) filter (where state = 'sent' and channel = 'push'))::int as pushes,
             (count(*) filter (where reason = 'repeated' and channel = 'letter'))::int as "repeatedLetters",
             (count(*) filter (where reason = 'repeated' and channel = 'push'))::int as "repeatedPushes"
        from notice_deliveries`)
    return storedNotices
  } finally {
    await database.close()
  }
}

/** Reads the names of the files of sent letters, or of pushes. */
const filesIn = (folder: string, shape: RegExp): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => shape.test(name)) : []

/** Starts of the server after which every interrupted delivery must have been repeated. */
const maxFurtherStarts = 5

const letterShape = /^notices.*\.eml$/
/** Name of a pushed message, with a text of its own for each attempt. */
const pushShape = /^(notice-\d+)\./
/** Names of pushed messages; a push service replaces a message by one of the same name. */
const topicsIn = (folder: string): string[] =>
  filesIn(folder, pushShape).flatMap((name) => pushShape.exec(name)?.[1] ?? [])

/** Waits until a number of letters and of pushes were sent. */
async function waitForDeliveries({ letters, pushes }: DeliveryFolders, count: number): Promise<void> {
  const end = Date.now() + limit
  const countDelivered = () => [filesIn(letters, letterShape).length, new Set(topicsIn(pushes)).size] as const
  while (Math.min(...countDelivered()) < count) {
    if (Date.now() > end)
      throw new Error(`Only ${countDelivered().join(' and ')} of ${count} letters and pushes were sent.`)
    await pause(5)
  }
}

/** Turns pushes on for the browser of a session, as the panel does: with the key of the installation. */
async function subscribe(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${await signIn(url)}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ data: browserOf() })
  for (const request of [{ headers }, { method: 'POST', headers, body }]) {
    const answer = await fetch(`${url}/api/notices/push`, request)
    if (!answer.ok) throw new Error(`A browser was refused: ${await answer.text()}`)
  }
}

/**
 * Runs the proof of letters and pushes of notices and prints figures.
 *
 * @param events - Number of events.
 * @returns Whether every part of the promise held.
 */
export async function noticesProof(events: number): Promise<{ harmless: boolean }> {
  const dataDir = temporaryFolder('notices')
  const folders = { letters: join(dataDir, 'outbox'), pushes: join(dataDir, 'pushed') }
  const options = {
    dataDir,
    seed: 'none',
    preload: join(import.meta.dirname, '../lib/push-recorder.ts'),
    env: { DATA_DIR: dataDir },
  } as const
  try {
    const firstServer = await startServer(options)
    await subscribe(firstServer.url)
    await firstServer.close()
    await addEvents(dataDir, events)
    const startMoment = performance.now()
    const killedServer = await startServer(options)
    await waitForDeliveries(folders, Math.ceil(events / 2))
    await stop(killedServer.child, 'SIGKILL')
    const lettersBefore = filesIn(folders.letters, letterShape).length
    const pushedBefore = new Set(topicsIn(folders.pushes)).size
    const restartedServer = await startServer(options)
    await waitForDeliveries(folders, events)
    await restartedServer.close()
    const elapsedSeconds = (performance.now() - startMoment) / 1_000

    const letters = readdirSync(folders.letters)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(folders.letters, name), 'utf8'))
    const mentionedNames = letters.flatMap((text) => /customer-\d+/.exec(text.replaceAll(/=\r?\n/g, ''))?.[0] ?? [])
    const names = letters.flatMap((text) => /^Message-ID: (.*)$/im.exec(text)?.[1] ?? [])
    let storedNotices = await readStoredNotices(dataDir)
    // A push that the kill interrupted has been sent without a mark; its repetition may come after all others.
    for (let starts = 0; starts < maxFurtherStarts && Number(storedNotices?.pushes) < events; starts += 1) {
      await (await startServer(options)).close()
      storedNotices = await readStoredNotices(dataDir)
    }
    const topics = topicsIn(folders.pushes)
    const repeatedPushes = topics.length - new Set(topics).size
    const checks = {
      'each event has one notice': storedNotices?.notices === events,
      'it was killed in the middle of the letters': lettersBefore < events,
      'it was killed in the middle of the pushes': pushedBefore < events,
      'each letter is marked as sent': storedNotices?.letters === events,
      'each push is marked as sent': storedNotices?.pushes === events,
      'no letter was lost': new Set(mentionedNames).size === events,
      'no letter was doubled': mentionedNames.length === events && letters.length === events,
      'each letter has a name of its own': new Set(names).size === events,
      'no push was lost, and each has a name of its own': new Set(topics).size === events,
      'only the push of the kill was sent again, under its name':
        repeatedPushes <= (storedNotices?.repeatedPushes ?? 0),
      'at most one push was sent again': repeatedPushes <= 1,
    }
    for (const [name, isFulfilled] of Object.entries(checks)) if (!isFulfilled) console.log(`   NOT SO: ${name}`)
    console.log(
      `   ${events} events of two writers each: killed after ${lettersBefore} letters and ${pushedBefore} pushes, ` +
        `${letters.length} letters and ${new Set(topics).size} pushes in the end, ${storedNotices?.repeatedLetters} letters and ` +
        `${storedNotices?.repeatedPushes} pushes sent again under their name; ${elapsedSeconds.toFixed(1)} s with both starts`,
    )
    return { harmless: Object.values(checks).every(Boolean) }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--events')
  const { harmless } = await noticesProof(position >= 0 ? Number(process.argv[position + 1]) : 1_000)
  process.exit(harmless ? 0 : 1)
}
