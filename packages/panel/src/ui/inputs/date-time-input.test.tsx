import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { DateTimeInput } from './date-time-input.tsx'
import { Field } from './field.tsx'

const onValueChange = vi.fn<(value: string | null) => void>()

function TestForm({ start = null }: { start?: string | null }) {
  const [value, setValue] = useState(start)
  const change = (newValue: string | null) => {
    onValueChange(newValue)
    setValue(newValue)
  }
  return (
    <Field label="Start">
      <DateTimeInput value={value} onValueChange={change} />
      <button type="button" onClick={() => setValue(start)}>
        Discard
      </button>
    </Field>
  )
}

const day = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Start' })
const time = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Start Time' })
/** Returns a moment in the local zone, wherever the test runs. */
const makeLocalDate = (hours: number, minutes: number) => new Date(2027, 2, 5, hours, minutes).toISOString()

beforeEach(() => onValueChange.mockReset())

it('reads a day and a time in the user’s zone', async () => {
  render(<TestForm />)
  const user = userEvent.setup()
  await user.type(day(), '5.3.2027')
  await user.tab()
  await user.type(time(), '930')
  expect(onValueChange).toHaveBeenLastCalledWith(makeLocalDate(9, 30))
  await user.click(document.body)
  expect([day().value, time().value]).toEqual(['05.03.2027', '09:30'])
})

it('starts a day without a time at midnight', async () => {
  render(<TestForm />)
  const user = userEvent.setup()
  await user.type(day(), '05.03.2027')
  await user.click(document.body)
  expect(onValueChange).toHaveBeenLastCalledWith(makeLocalDate(0, 0))
  expect(time().value).toBe('00:00')
})

it('keeps an invalid moment as typed, and passes it to the check', async () => {
  render(<TestForm start={makeLocalDate(9, 30)} />)
  const user = userEvent.setup()
  await user.clear(time())
  await user.type(time(), '25:00')
  await user.click(document.body)
  expect([day().value, time().value]).toEqual(['05.03.2027', '25:00'])
  expect(onValueChange).toHaveBeenLastCalledWith('2027-03-05 25:00')
  await user.clear(day())
  await user.type(day(), '31.2.2027')
  await user.click(document.body)
  expect(day().value).toBe('31.2.2027')
})

it('sets the moment to null when both fields are cleared', async () => {
  render(<TestForm start={makeLocalDate(9, 30)} />)
  const user = userEvent.setup()
  await user.clear(day())
  await user.clear(time())
  expect(onValueChange).toHaveBeenLastCalledWith(null)
})

it('shows the moment again when the form discards the typed text', async () => {
  render(<TestForm start={makeLocalDate(9, 30)} />)
  const user = userEvent.setup()
  await user.clear(time())
  await user.type(time(), '1x')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(time().value).toBe('09:30')
})
