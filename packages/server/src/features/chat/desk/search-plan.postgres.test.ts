/** Tests the plan of a search on PostgreSQL; the embedded database has no table statistics for a plan. */
import { sql } from '../../../db/sql.ts'
import { expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'

const testDesk = startDesk()

it('finds a rare word with the trigram index, without reading all messages', async () => {
  const { database } = testDesk.app
  const room = await testDesk.room()
  const { id } = testDesk.person('customer')
  await database.query(sql`
    insert into chatmessages (room_id, sender_id, text, kind, seq)
    select ${room}, ${id}, repeat('paxta shira ', 8) || case when i = 777 then ' qoraqalpoq' else '' end, 'message', i
      from generate_series(1, 10000) i`)
  await database.script('vacuum analyze chatmessages')
  const statements: string[] = []
  const end = database.onStatement((text) => statements.push(text))
  const { body } = await testDesk.ask('admin', 'GET', `/chatmessages/search?q=${encodeURIComponent('қорақалпоқ')}`)
  end()
  expect(body.results).toMatchObject([{ message: { seq: 777 } }])
  // The statement of the search is planned with its values inlined, for exactly these values.
  const sentStatement = statements.find((text) => text.includes('"search" like')) ?? ''
  const writtenStatement = sentStatement.replaceAll(
    /\$\d+(?!\d)(::\w+(?:\[\])?)?/g,
    (placeholder, type: string | undefined) => {
      if (sentStatement.includes(`like ${placeholder}`)) return `'%korakalpok%'${type ?? ''}`
      if (type?.endsWith('[]')) return `'{${room}}'${type}`
      return type === '::text' ? "'UTC'::text" : `'20'${type ?? ''}`
    },
  )
  const plan = await database.rows({ sql: `explain ${writtenStatement}`, parameters: [] })
  expect(plan.flat().join('\n')).toContain('chatmessages_search_idx')
})
