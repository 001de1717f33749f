import { expect, it } from 'vitest'
import { startDesk } from '../../../testing/desk.ts'

const testDesk = startDesk({ WORKING_HOURS: '1-5 10:00-10:45' })

it('counts only working time towards the target of a wait', async () => {
  const room = await testDesk.room()
  await testDesk.sendMessage('customer', room)
  const { waiting_since, due_at } = await testDesk.row(room)
  const [waitStart, dueTime] = [Date.parse(String(waiting_since)), Date.parse(String(due_at))]
  expect(testDesk.app.database.calendar.workingTime.between(waitStart, dueTime)).toBe(30 * 60_000)
  expect(new Date(dueTime + 5 * 3_600_000).getUTCHours()).toBe(10)
})
