/** Tests of the focus when a menu is opened for the first time, which also loads its code. */
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Menu } from './menu.tsx'

function actions() {
  render(
    <Menu trigger={<button type="button">Actions</button>}>
      {({ Item }) => (
        <>
          <Item>Edit</Item>
          <Item>Copy</Item>
          <Item disabled="Others need it">Delete</Item>
        </>
      )}
    </Menu>,
  )
  return screen.getByRole('button', { name: 'Actions' })
}

describe('a menu opened for the first time', () => {
  it.each([
    ['{Enter}', 'Edit'],
    [' ', 'Edit'],
    ['{ArrowDown}', 'Edit'],
    ['{ArrowUp}', 'Copy'],
  ])('moves the focus of a menu after the key %s to the item %s', async (key, name) => {
    const user = userEvent.setup()
    actions().focus()
    await user.keyboard(key)
    const item = await screen.findByRole('menuitem', { name })
    await waitFor(() => expect(document.activeElement).toBe(item))
    expect(item.hasAttribute('data-highlighted')).toBe(true)
  })

  it('highlights no item of a menu after a click until an arrow key is pressed', async () => {
    const user = userEvent.setup()
    await user.click(actions())
    const menu = await screen.findByRole('menu')
    await waitFor(() => expect(document.activeElement).toBe(menu))
    expect(menu.querySelector('[data-highlighted]')).toBeNull()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'))
  })
})
