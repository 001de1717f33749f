/** Dialog for the address of a link in a rich text. */
import type { Editor } from '@tiptap/react'
import { useId, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Input } from '../../ui/inputs/input.tsx'

function isAddress(text: string): boolean {
  return /^mailto:.+@.+/.test(text) || (/^https:\/\/./.test(text) && URL.canParse(text))
}

export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const [existingLink] = useState(() => {
    const { href } = editor.getAttributes('link')
    return typeof href === 'string' ? href : undefined
  })
  const [address, setAddress] = useState(existingLink ?? 'https://')
  const applyLink = (href: string | null) => {
    const commandChain = editor.chain().focus().extendMarkRange('link')
    if (href) commandChain.setLink({ href }).run()
    else commandChain.unsetLink().run()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(shouldOpen) => !shouldOpen && onClose()}
      title={t('editor.insertLink')}
      actions={
        <>
          {existingLink ? <Button onClick={() => applyLink(null)}>{t('editor.removeLink')}</Button> : null}
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            disabled={!isAddress(address) && t('editor.addressNeeded')}
            onClick={() => applyLink(address)}
          >
            {t('action.apply')}
          </Button>
        </>
      }
    >
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('editor.linkAddress')}
      </label>
      <Input id={id} dir="ltr" inputMode="url" value={address} onChange={(event) => setAddress(event.target.value)} />
    </Dialog>
  )
}
