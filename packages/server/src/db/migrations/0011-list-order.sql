-- 0011-list-order: the order that a list is opened with (decision 14); generated from the model, then read by a person.

create index "chatmessages_created_at_order_idx" on "chatmessages" ("created_at", "id");
create index "chatrooms_updated_at_order_idx" on "chatrooms" ("updated_at", "id");
create index "companies_companyName_order_idx" on "companies" ((fold_search("companyName") collate "C"), "id");
create index "consultations_created_at_order_idx" on "consultations" ("created_at", "id");
create index "districts_texts_name_order_idx" on "districts_texts" ("locale", (fold_search("name") collate "C"), "id");
create index "insert_excel_created_at_order_idx" on "insert_excel" ("created_at", "id");
create index "news_date_order_idx" on "news" ("date", "id");
create index "pricedates_date_order_idx" on "pricedates" ("date", "id");
create index "pricelists_updated_at_order_idx" on "pricelists" ("updated_at", "id");
create index "tags_texts_name_order_idx" on "tags_texts" ("locale", (fold_search("name") collate "C"), "id");
create index "tradinposts_texts_created_at_order_idx" on "tradinposts_texts" ("locale", "created_at", "id");
create index "users_created_at_order_idx" on "users" ("created_at", "id");
