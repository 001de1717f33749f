import type { Entry } from '@dala/model'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { buildQueryClient } from '../../../api/query-client.ts'
import { activateLanguage } from '../../../lib/i18n.ts'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { fileRecord } from '../../../testing/fake-file.ts'
import { LibraryPicker } from './picker.tsx'

const files = [1, 2, 3].map((id) => fileRecord(id))

function PickerPlace({ several }: { several: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [chosenEntries, setChosenEntries] = useState<readonly Entry[]>([])
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        From the library
      </button>
      <p>Chosen: {chosenEntries.map(({ id }) => id).join(', ')}</p>
      <LibraryPicker open={isOpen} isMultiple={several} onClose={() => setOpen(false)} onChoose={setChosenEntries} />
    </>
  )
}

async function openPicker(allowsSeveral: boolean) {
  fakeApi({
    'GET /api/users/me': owner,
    'GET /api/upload/library': {
      data: files,
      meta: { pagination: { page: 1, pageSize: 40, total: 3 }, originals: {} },
    },
    'GET /api/upload/folders': { data: [] },
  })
  await activateLanguage('en')
  render(
    <QueryClientProvider client={buildQueryClient(() => undefined)}>
      <PickerPlace several={allowsSeveral} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'From the library' }))
  const search = await screen.findByRole('searchbox')
  await waitFor(() => expect(document.activeElement).toBe(search))
  return user
}

it('chooses one picture of the library with Enter and returns the focus', async () => {
  const user = await openPicker(false)
  const tile = await screen.findByRole('button', { name: /^2\.jpg/ })
  tile.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Chosen: 2')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('From the library'))
})

it('chooses several pictures by their checkboxes, and a range with Shift', async () => {
  const user = await openPicker(true)
  await user.click(await screen.findByRole('checkbox', { name: 'Select 1.jpg' }))
  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select 3.jpg' }))
  await user.keyboard('{/Shift}')
  await user.click(screen.getByRole('button', { name: 'Add 3 pictures' }))
  expect(await screen.findByText('Chosen: 1, 2, 3')).toBeTruthy()
})

it('chooses no picture on Escape', async () => {
  const user = await openPicker(true)
  await user.click(await screen.findByRole('checkbox', { name: 'Select 1.jpg' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Chosen:')).toBeTruthy()
})
