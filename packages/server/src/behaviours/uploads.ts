/** Rules of files: a former file name still leads to its file, and edits of posts lose removed files. */
import { sql } from '../db/sql.ts'
import { takeFileFromEdits } from '../domain/market/post-edits.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const fileBehaviour: Behaviour = {
  async settleValues({ operation, valuesBefore, document, values, trx }) {
    if (operation === 'remove' && document !== undefined) await takeFileFromEdits(trx, document)
    const hash = valuesBefore?.hash
    if (document === undefined || typeof hash !== 'string') return undefined
    const isReplaced = operation === 'update' && 'hash' in values && values.hash !== hash
    if (operation !== 'remove' && !isReplaced) return undefined
    await trx.query(sql`
      insert into upload_addresses (hash, file_id, ext) values (${hash}, ${document}, ${valuesBefore?.ext ?? null}::text)
        on conflict do nothing`)
    return undefined
  },
}
