/**
 * Proof of imports (market §9, 3 and 4). Every error of a long sheet is listed with its cell, exactly the
 * correct rows are written, and a revert restores the former state. The sheet of errors imports after its
 * correction, an export changes nothing, and other users are answered meanwhile.
 * `node scripts/proofs/imports.ts --rows 10000`
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImportAnswer, ImportAttributes, ImportRow, ImportRowsAnswer } from '@dala/model'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { type Rows, rowsOfFile, makeSheet } from '../../packages/server/src/testing/sheets.ts'
import { prepareFirstData } from '../lib/first-data.ts'
import { type RunningServer, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'

const [products, districts] = [40, 14]
const pricesPerDay = products * districts
const heading = ['Product', 'District', 'Price date', 'Market', 'Unit', 'Price', 'Highest price', 'Note']
type Cell = Rows[number][number]

const fill = `
  insert into units (name, code, kind, factor) values ('"kg"', 'kg', 'mass', 1), ('"piece"', 'piece', 'count', 1);
  insert into regions (source_locale, code) values ('en', 'R1');
  insert into regions_texts (document_id, locale, name) select id, 'en', 'Region one' from regions;
  insert into districts (source_locale, region_id, code) select 'en', r.id, 'D' || n from regions r, generate_series(1, ${districts}) n;
  insert into districts_texts (document_id, locale, name) select id, 'en', 'District ' || code from districts;
  insert into products (source_locale, unit_id, "order") select 'en', u.id, n from units u, generate_series(1, ${products}) n where u.code = 'kg';
  insert into products_texts (document_id, locale, name) select id, 'en', 'Product ' || "order" from products;`

/** Cells of a valid price row for an index in the table of products, districts and days. */
function makeRightRow(index: number): Cell[] {
  const indexInDay = index % pricesPerDay
  const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / pricesPerDay)))
  return [
    `Product ${1 + Math.floor(indexInDay / districts)}`,
    `District D${1 + (indexInDay % districts)}`,
    day,
    'Retail',
    'kg',
    1_000 + index / 4,
    null,
    null,
  ]
}

/** Kind of error in the sheet: its change to a valid row, and the cell and code that must be listed. */
type Fault = readonly [
  code: string,
  column: number,
  change: (row: Cell[], right: (index: number) => Cell[], index: number) => void,
]
const putInColumn =
  (column: number, value: Cell): Fault[2] =>
  (row) => {
    row[column] = value
  }
const faults: readonly Fault[] = [
  ['import.unknown-name', 0, putInColumn(0, 'Quinoa')],
  ['import.unknown-name', 1, putInColumn(1, 'Atlantis')],
  ['price.unit', 4, putInColumn(4, 'piece')],
  ['import.letter', 5, putInColumn(5, '15O00')],
  ['import.unclear-number', 5, putInColumn(5, '12,500')],
  ['validation.number', 5, putInColumn(5, 'cheap')],
  ['validation.above', 5, putInColumn(5, 0)],
  ['rule.ascending', 6, putInColumn(6, 1)],
  ['validation.required', 0, putInColumn(0, null)],
  // The first row of a pair gets the product, district and day of the second, so that both have the error.
  [
    'import.twice',
    0,
    (row, right, index) => row.splice(0, 3, ...right(index % 2 === 0 ? index + 1 : index).slice(0, 3)),
  ],
  ['price.too-high', 5, putInColumn(5, 99_999_999_999)],
  ['price.future', 2, putInColumn(2, new Date(Date.UTC(2199, 0, 1)))],
  ['import.unclear-date', 2, putInColumn(2, '03.04.26')],
  ['validation.date', 2, putInColumn(2, '31.02.2026')],
  ['validation.choice', 3, putInColumn(3, 'bazaar')],
]

interface ExpectedSheet {
  rows: Cell[][]
  /** Cell and code of every error that the import must list: `A17 code`. */
  faults: string[]
  /** Indexes of the sheet's rows with an error. */
  faultyRows: number[]
}

/**
 * Makes a sheet of this many price rows. Errors are in pairs of rows, spread evenly, with the kinds in turn.
 *
 * @param count - Number of rows.
 * @param faultCount - Number of rows with an error.
 */
function makeExpectedSheet(count: number, faultCount: number): ExpectedSheet {
  const rows = Array.from({ length: count }, (_, index) => makeRightRow(index))
  const [listedFaults, faultyIndexes]: [string[], number[]] = [[], []]
  const pairs = faultCount / 2
  const step = 2 * Math.floor(count / pairs / 2)
  for (let pairIndex = 0; pairIndex < pairs; pairIndex += 1) {
    const fault = faults[pairIndex % faults.length]
    if (!fault) continue
    const [code, column, change] = fault
    for (const index of [pairIndex * step, pairIndex * step + 1]) {
      const row = rows[index]
      if (!row) continue
      change(row, makeRightRow, index)
      faultyIndexes.push(index)
      listedFaults.push(`${String.fromCharCode(65 + column)}${index + 2} ${code}`)
    }
  }
  return { rows, faults: listedFaults.toSorted(), faultyRows: faultyIndexes }
}

class Client {
  readonly #server: RunningServer
  readonly #token: string
  constructor(server: RunningServer, token: string) {
    this.#server = server
    this.#token = token
  }
  async ask(
    path: string,
    requestInit: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const answer = await fetch(`${this.#server.url}${path}`, {
      ...requestInit,
      headers: { authorization: `Bearer ${this.#token}`, ...requestInit.headers },
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  async read<T>(path: string): Promise<T> {
    return (await (await this.ask(path)).json()) as T
  }
  post(path: string, data: object): Promise<Response> {
    return this.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    })
  }
  async bytes(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.ask(path)).arrayBuffer())
  }
  /** Sends a sheet of prices and waits until the server has read it. */
  async import(file: Buffer, kind = 'pricelists'): Promise<{ id: number; now: ImportAttributes }> {
    const form = new FormData()
    form.append('kind', kind)
    form.append('locale', 'en')
    form.append('files', new Blob([new Uint8Array(file)]), 'sheet.xlsx')
    const { data } = (await (
      await this.ask('/api/insert_excel', { method: 'POST', body: form })
    ).json()) as ImportAnswer
    return { id: data.id, now: await this.settled(data.id) }
  }
  async settled(id: number): Promise<ImportAttributes> {
    for (;;) {
      const { data } = await this.read<ImportAnswer>(`/api/insert_excel/${id}`)
      if (data.attributes.state !== 'parsing' && data.attributes.state !== 'committing') return data.attributes
      await pause(50)
    }
  }
  async commit(id: number): Promise<ImportAttributes> {
    const { data } = await this.read<ImportAnswer>(`/api/insert_excel/${id}`)
    await this.post(`/api/insert_excel/${id}/commit`, { version: data.attributes.version, mode: 'valid_only' })
    return this.settled(id)
  }
  async rows(id: number, filter: string): Promise<ImportRow[]> {
    const foundRows: ImportRow[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await this.read<ImportRowsAnswer>(
        `/api/insert_excel/${id}/rows?filter=${filter}&pagination[page]=${page}&pagination[pageSize]=100`,
      )
      foundRows.push(...data)
      if (page >= (meta.pagination.pageCount ?? 1)) return foundRows
    }
  }
}

const memoryOf = (pid: number | undefined): number =>
  Number(
    /VmRSS:\s+(\d+)/.exec(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '')?.[1] ??
      0,
  ) / 1_024

/**
 * Watches the memory of a process until the watch is stopped.
 *
 * @returns A function that stops and returns the maximum.
 */
function watchMemory(pid: number | undefined): () => number {
  let maxMemory = memoryOf(pid)
  const timer = setInterval(() => {
    maxMemory = Math.max(maxMemory, memoryOf(pid))
  }, 20)
  return () => {
    clearInterval(timer)
    return maxMemory
  }
}

/** Measures the slowest answers of `/health` and of a list until the measurement is stopped. */
function watchAnswers(client: Client): () => Promise<number> {
  let hasEnded = false
  let slowest = 0
  const importPolling = (async () => {
    while (!hasEnded) {
      for (const path of ['/health', '/api/products?pagination[pageSize]=12']) {
        const startMoment = performance.now()
        await client.ask(path)
        slowest = Math.max(slowest, performance.now() - startMoment)
      }
      await pause(20)
    }
  })()
  return async () => {
    hasEnded = true
    await importPolling
    return slowest
  }
}

/** Returns a checksum of prices and their days, without the columns that every write changes. */
async function checksumOf(database: Database): Promise<string> {
  const rows = await database.query(sql`
    select 'price' as kind, to_jsonb(p) - 'version' - 'updated_at' as row from pricelists p
     union all select 'day', to_jsonb(d) - 'version' - 'updated_at' from pricedates d order by 1, 2`)
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}

/** Returns the checksum of prices, while no server uses the data folder. */
async function computeChecksum(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir })
  try {
    return await checksumOf(database)
  } finally {
    await database.close()
  }
}

/** Returns the sheet as LibreOffice writes it; undefined where LibreOffice is not installed. */
function throughLibreOffice(file: Buffer): Buffer | undefined {
  if (spawnSync('soffice', ['--version']).status !== 0) return undefined
  const folder = mkdtempSync(join(temporaryFolder('office'), 'sheet-'))
  try {
    writeFileSync(join(folder, 'in.xlsx'), file)
    const { status } = spawnSync('soffice', [
      '--headless',
      '--convert-to',
      'xlsx:Calc MS Excel 2007 XML',
      '--outdir',
      join(folder, 'out'),
      join(folder, 'in.xlsx'),
    ])
    return status === 0 ? readFileSync(join(folder, 'out', 'in.xlsx')) : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const seconds = (startTime: number) => `${((performance.now() - startTime) / 1_000).toFixed(1)} s`

export interface ImportDose {
  rows: number
  faults: number
  /** Number of rows in the sheet during whose import the answers to other users are measured. */
  longSheetRows: number
}

/**
 * Runs the proof of imports and prints the result.
 *
 * @returns Whether every part of the promise held.
 * @throws When a request is refused.
 */
export async function importProof({
  rows: count,
  faults: faultCount,
  longSheetRows: longRowCount,
}: ImportDose): Promise<{ harmless: boolean }> {
  const dataDir = temporaryFolder('import')
  const checks: Record<string, boolean> = {}
  try {
    const checksumBefore = await prepareFirstData({ dataDir, seed: 'none' }, async (database) => {
      await database.script(fill)
      return await checksumOf(database)
    })
    let server = await startServer({ dataDir, seed: 'none' })
    let client = new Client(server, await signIn(server.url))
    await client.import(await makeSheet([heading, makeRightRow(0)]))

    const expectedSheet = makeExpectedSheet(count, faultCount)
    const file = await makeSheet([heading, ...expectedSheet.rows])
    const memoryAtStart = memoryOf(server.child.pid)
    const memoryWatch = watchMemory(server.child.pid)
    let startMoment = performance.now()
    const { id, now } = await client.import(file)
    console.log(
      `   ${count} rows with ${expectedSheet.faults.length} faults of ${faults.length} kinds: preview in ${seconds(startMoment)}, memory ${Math.round(memoryWatch() - memoryAtStart)} MB above rest`,
    )
    const errorRows = await client.rows(id, 'error')
    const makeNameList = errorRows.flatMap(({ issues }) => issues.map(({ cell, code }) => `${cell} ${code}`)).toSorted()
    checks['every fault is listed once, with its cell'] =
      JSON.stringify(makeNameList) === JSON.stringify(expectedSheet.faults)
    if (!checks['every fault is listed once, with its cell']) {
      const [expectedFaults, reportedFaults] = [new Set(expectedSheet.faults), new Set(makeNameList)]
      console.log(
        '   missing',
        expectedSheet.faults.filter((listedFault) => !reportedFaults.has(listedFault)).slice(0, 8),
        'too many',
        makeNameList.filter((reportedFault) => !expectedFaults.has(reportedFault)).slice(0, 8),
      )
    }
    checks['all other rows are new'] = now.summary?.create === count - expectedSheet.faultyRows.length
    startMoment = performance.now()
    const commitAnswer = await client.commit(id)
    console.log(`   commit of ${commitAnswer.created_count} rows in ${seconds(startMoment)}`)
    const { meta } = await client.read<{ meta: { pagination: { total: number } } }>(
      '/api/pricelists?pagination[pageSize]=1',
    )
    checks['exactly the right rows are written'] =
      commitAnswer.created_count === count - expectedSheet.faultyRows.length &&
      meta.pagination.total === commitAnswer.created_count

    const sheet = await rowsOfFile(await client.bytes(`/api/insert_excel/${id}/errors?locale=en`))
    const correctedSheet = sheet.map((row, index) =>
      index === 0 ? row : makeRightRow(expectedSheet.faultyRows.toSorted((a, b) => a - b)[index - 1] ?? 0),
    )
    const correctedImport = await client.import(await makeSheet(correctedSheet))
    checks['the corrected sheet of faults has none'] =
      correctedImport.now.summary?.error === 0 && correctedImport.now.summary.create === expectedSheet.faultyRows.length

    const exportedFile = await client.post('/api/export', {
      resource: 'pricelists',
      columns: ['product', 'district', 'pricedate', 'market_type', 'unit', 'price', 'price_max', 'currency', 'note'],
      format: 'xlsx',
      language: 'en',
    })
    const copy = Buffer.from(await exportedFile.arrayBuffer())
    const isSame = (await client.import(copy)).now.summary
    checks['an export changes nothing'] =
      isSame?.same === commitAnswer.created_count && isSame?.total === commitAnswer.created_count
    const officeRows = throughLibreOffice(copy)
    if (officeRows)
      checks['the same through LibreOffice'] =
        (await client.import(officeRows)).now.summary?.same === commitAnswer.created_count
    else console.log('   LibreOffice is not installed: no sheet went through it')

    startMoment = performance.now()
    await client.post(`/api/insert_excel/${id}/revert`, {})
    console.log(`   revert in ${seconds(startMoment)}`)
    await server.close()
    checks['a revert restores the former state'] = (await computeChecksum(dataDir)) === checksumBefore

    server = await startServer({ dataDir, seed: 'none' })
    client = new Client(server, await signIn(server.url))
    const longFile = await makeSheet([
      heading,
      ...Array.from({ length: longRowCount }, (_, index) => makeRightRow(index)),
    ])
    const slowest = watchAnswers(client)
    const longMemory = watchMemory(server.child.pid)
    const idleMemory = memoryOf(server.child.pid)
    startMoment = performance.now()
    const { now: longNow } = await client.import(longFile)
    checks['a long sheet is read while others are answered'] = longNow.state === 'preview' && longNow.total === null
    console.log(
      `   ${longRowCount} rows: preview in ${seconds(startMoment)}, memory ${Math.round(longMemory() - idleMemory)} MB above rest, slowest answer meanwhile ${Math.round(await slowest())} ms`,
    )
    await server.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (const [name, isFulfilled] of Object.entries(checks)) if (!isFulfilled) console.log(`   NOT SO: ${name}`)
  return { harmless: Object.values(checks).every(Boolean) }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--rows')
  const rows = position >= 0 ? Number(process.argv[position + 1]) : 10_000
  const { harmless } = await importProof({ rows, faults: 300, longSheetRows: rows * 5 })
  process.exit(harmless ? 0 : 1)
}
