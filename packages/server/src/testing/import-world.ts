/**
 * Data and calls for tests of imports: products, places and units by name, sheets, and imports in progress.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportAnswer, ImportAttributes, ImportRow, ImportRowsAnswer, RoleType } from '@dala/model'
import { buildRecord, buildDistrict, buildRegion, buildTranslation } from './factories.ts'
import type { ResourceApp } from './resource-app.ts'
import { type Rows, makeSheet } from './sheets.ts'
import { waitUntil } from './eventually.ts'
import { formOf } from './upload-app.ts'

export type Ids = Record<string, number>

/** Folder for the files of the imports of a test file. */
export const importsFolder = (): string => mkdtempSync(join(tmpdir(), 'dala-imports-'))

/** Makes three products, two districts of a region and three units. */
export async function buildMarket({ database }: Pick<ResourceApp, 'database'>): Promise<Ids> {
  const ids: Ids = {}
  const unit = (name: string, shortName: string, kind: string, factor: number) =>
    buildRecord(database, 'units', {
      name: { en: name, ru: shortName },
      short: { ru: shortName },
      code: name,
      kind,
      factor,
    })
  ids.kg = await unit('kilogram', 'кг', 'mass', 1)
  ids.tonne = await unit('tonne', 'т', 'mass', 1000)
  ids.sack = await unit('sack', 'мешок', 'count', 1)
  ids.region = await buildRegion(database, { name: 'Karakalpakstan', code: 'QR' })
  ids.nukus = await buildDistrict(database, { name: 'Nukus district', region: ids.region, code: 'N1' })
  await buildTranslation(database, 'districts', ids.nukus, 'ru', { name: 'Нукусский район' })
  ids.chimbay = await buildDistrict(database, { name: 'Chimbay district', region: ids.region, code: 'N2' })
  await buildTranslation(database, 'districts', ids.chimbay, 'ru', { name: 'Чимбайский район' })
  const product = async (name: string, russian: string, draft: object = {}) => {
    const id = await buildRecord(database, 'products', { name, unit: ids.kg, ...draft })
    await buildTranslation(database, 'products', id, 'ru', { name: russian })
    return id
  }
  ids.rice = await product('Rice', 'Рис')
  ids.wheat = await product('Wheat', 'Пшеница', { aliases: ['Буғдой'] })
  ids.tomato = await product('Tomatoes', 'Томаты')
  return ids
}

export interface Import extends ImportAttributes {
  id: number
}

/** Calls of the import routes of an application. */
export class ImportCalls {
  readonly #here: ResourceApp
  constructor(resourceApp: ResourceApp) {
    this.#here = resourceApp
  }

  #headers(role: RoleType) {
    return { authorization: `Bearer ${this.#here.tokens[role]}` }
  }

  /** Sends a sheet to be imported and returns the answer. */
  async send(file: Buffer, texts: Readonly<Record<string, string>>, role: RoleType = 'admin') {
    const form = await formOf([{ name: 'sheet.xlsx', bytes: file }], texts)
    const headers = { ...form.headers, ...this.#headers(role) }
    const answer = await this.#here.app.inject({
      method: 'POST',
      url: '/api/insert_excel',
      headers,
      payload: form.payload,
    })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }

  /** Sends a sheet to be imported and waits until it is read. */
  async read(rows: Rows | Buffer, texts: Readonly<Record<string, string>>, role: RoleType = 'admin'): Promise<Import> {
    const { status, body } = await this.send(Buffer.isBuffer(rows) ? rows : await makeSheet(rows), texts, role)
    if (status !== 200) throw new Error(`The sheet was refused with ${status}: ${JSON.stringify(body)}`)
    return this.settled((body as ImportAnswer).data.id, role)
  }

  async get(id: number, role: RoleType = 'admin'): Promise<Import> {
    const { body } = await this.#here.ask('GET', `/insert_excel/${id}`, undefined, role)
    return { ...(body as ImportAnswer).data.attributes, id }
  }

  /** Waits until no background work of imports is pending. */
  async settled(id: number, role: RoleType = 'admin'): Promise<Import> {
    return waitUntil(async () => {
      const now = await this.get(id, role)
      if (now.state === 'parsing' || now.state === 'committing') throw new Error(`Import ${id} is still ${now.state}`)
      return now
    })
  }

  async rows(id: number, query = 'pagination[pageSize]=100'): Promise<ImportRow[]> {
    return [...(await this.#here.read<ImportRowsAnswer>(`/insert_excel/${id}/rows?${query}`)).data].toSorted(
      (a, b) => a.row - b.row,
    )
  }

  /** Corrects an import with its current version, and waits until the rows are checked again. */
  async correct(id: number, data: object): Promise<Import> {
    const { version } = await this.get(id)
    const { status, body } = await this.#here.ask('PUT', `/insert_excel/${id}`, { data: { version, ...data } })
    if (status >= 300) throw new Error(`The correction was refused with ${status}: ${JSON.stringify(body)}`)
    return this.settled(id)
  }

  /** Requests the commit of an import with its current version. */
  async ask(id: number, data: object = {}) {
    const { version } = await this.get(id)
    return this.#here.ask('POST', `/insert_excel/${id}/commit`, { data: { version, mode: 'valid_only', ...data } })
  }

  /** Commits an import and waits until its rows are written. */
  async commit(id: number, data: object = {}): Promise<Import> {
    const { status, body } = await this.ask(id, data)
    if (status >= 300) throw new Error(`The commit was refused with ${status}: ${JSON.stringify(body)}`)
    return this.settled(id)
  }

  revert(id: number) {
    return this.#here.ask('POST', `/insert_excel/${id}/revert`)
  }

  /** Downloads the exported file at an address. */
  async file(url: string): Promise<Buffer> {
    const answer = await this.#here.app.inject({ url: `/api${url}`, headers: this.#headers('admin') })
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.rawPayload
  }
}

/** Returns an imported row as tests compare it: its action, and its issues by cell and code. */
export const outline = ({ row, action, issues }: ImportRow) => [
  row,
  action,
  ...issues.map(({ cell, code }) => `${cell} ${code}`),
]
