-- 0008-upload-owners: who uploaded a file, for the quota and for the right to one's own pictures.

alter table "uploads" add column "owner_id" integer;
alter table "uploads" add constraint "uploads_owner_id_fkey" foreign key ("owner_id") references "users" on delete set null;
create index "uploads_owner_id_idx" on "uploads" ("owner_id");
