/** Tests that a disabled control keeps the focus, shows the reason, and does nothing. */
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { reasonOf } from '../testing/reason-of.ts'
import { Button, LinkButton } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { Menu } from './overlays/menu.tsx'
import { Select } from './inputs/select.tsx'
import { Switch } from './inputs/switch.tsx'
import { TooltipLayer } from './overlays/tooltip.tsx'

const reasonText = 'Others need it.'
const act = vi.fn<() => void>()

const controls: [string, (disabledReason: false | string) => ReactElement][] = [
  [
    'a button',
    (disabledReason) => (
      <Button disabled={disabledReason} onClick={act}>
        Delete
      </Button>
    ),
  ],
  [
    'a link button',
    (disabledReason) => (
      <LinkButton disabled={disabledReason} onClick={act}>
        Delete
      </LinkButton>
    ),
  ],
  [
    'an icon button',
    (disabledReason) => <IconButton label="Delete" icon={null} disabled={disabledReason} onClick={act} />,
  ],
  [
    'a switch',
    (disabledReason) => <Switch aria-label="Delete" checked disabled={disabledReason} onCheckedChange={act} />,
  ],
]

describe.each(controls)('%s', (_name, draw) => {
  it('shows to all users why a control is disabled, and blocks its action', async () => {
    act.mockClear()
    const user = userEvent.setup()
    render(
      <>
        {draw(reasonText)}
        <TooltipLayer />
      </>,
    )
    await user.tab()
    const control = document.activeElement
    expect(screen.getByRole(control?.getAttribute('role') ?? 'button', { name: 'Delete' })).toBe(control)
    expect(reasonOf(control)).toBe(reasonText)
    expect(screen.getByText(reasonText)).toBeTruthy()
    await user.keyboard('{Enter} ')
    if (control) await user.click(control)
    expect(act).not.toHaveBeenCalled()
  })

  it('shows no reason for disabling at an enabled control', async () => {
    act.mockClear()
    const { container } = render(draw(false))
    await userEvent.tab()
    expect(container.querySelector('[data-why], [aria-disabled], [hidden]')).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(act).toHaveBeenCalledOnce()
  })
})

it('does not send a form by a disabled button', async () => {
  const send = vi.fn<() => void>()
  render(
    <form onSubmit={send}>
      <input aria-label="Name" />
      <Button type="submit" disabled={reasonText}>
        Save
      </Button>
    </form>,
  )
  await userEvent.type(screen.getByLabelText('Name'), 'a{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(send).not.toHaveBeenCalled()
})

it('keeps a disabled select closed', async () => {
  render(
    <>
      <Select
        aria-label="Role"
        value="a"
        onValueChange={act}
        choices={[{ value: 'a', label: 'One' }]}
        disabled={reasonText}
      />
      <TooltipLayer />
    </>,
  )
  const select = screen.getByRole('combobox', { name: 'Role' })
  expect(reasonOf(select)).toBe(reasonText)
  await userEvent.click(select)
  expect(screen.getByText(reasonText)).toBeTruthy()
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.queryByRole('option')).toBeNull()
})

it('keeps a disabled menu closed, by pointer and by keys', async () => {
  render(
    <Menu trigger={<IconButton label="More" icon={null} disabled={reasonText} />}>
      {({ Item }) => <Item>Copy</Item>}
    </Menu>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(screen.queryByRole('menu')).toBeNull()
})

it('shows the reason of a disabled menu item below its text', async () => {
  render(
    <Menu trigger={<button type="button">Actions</button>}>
      {({ Item }) => <Item disabled={reasonText}>Delete</Item>}
    </Menu>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }))
  const item = await screen.findByRole('menuitem', { name: /^Delete/ })
  expect(within(item).getByText(reasonText)).toBeTruthy()
  expect(item.getAttribute('aria-disabled')).toBe('true')
})
