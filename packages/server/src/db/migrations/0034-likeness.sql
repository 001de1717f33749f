-- 0034-likeness: hashes by which pictures are found to look alike, and the kinds of goods of trading post categories.

alter table "tradingpostcategories" add column "kind" varchar(255) not null default 'other';
alter table "tradingpostcategories" add constraint "tradingpostcategories_kind_check" check ("kind" in ('grain', 'produce', 'livestock', 'machinery', 'seed', 'service', 'other'));
alter table "uploads" add column "likeness" varchar(16);
alter table "uploads" add constraint "uploads_likeness_check" check ("likeness" ~ '^[0-9a-f]{16}$');

-- The categories of the reference lists; staff choose the kinds of their own ones.
update tradingpostcategories c set kind = known.kind
  from (values ('crops', 'produce'), ('animals', 'livestock'), ('animal-products', 'livestock'), ('feed', 'seed'), ('seeds', 'seed'),
    ('machinery', 'machinery'), ('equipment', 'machinery'), ('services', 'service'), ('land-lease', 'service')) as known(slug, kind)
 where c.slug = known.slug;

-- Pictures from before have no hash; the clock of uploads finds them by this index, the newest first.
create index uploads_without_likeness_idx on uploads (id desc) where likeness is null;
