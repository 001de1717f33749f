/** An honest place-holder: it names what will be here and offers nothing that does not work. */
import type { MessageId } from '@dala/model'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useT } from '../lib/i18n.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Sheet } from '../ui/sheet.tsx'

export function NotBuiltScreen({ title }: { title: MessageId }) {
  const t = useT()
  const name = t(title)
  useDocumentTitle(name)
  return (
    <>
      <PageHead title={name} />
      <Sheet aria-label={name}>
        <EmptyState title={t('screen.notBuilt.title')} text={t('screen.notBuilt.text', { screen: name })} />
      </Sheet>
    </>
  )
}
