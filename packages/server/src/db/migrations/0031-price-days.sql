-- 0031-price-days: districts without a market on a day, and the way from a product to the prices of a day.

create table "pricedates_no_market" (
  "holder_id" integer not null,
  "target_id" integer not null,
  "position" integer not null default 0,
  "inverse_position" integer not null default 0,
  primary key ("holder_id", "target_id")
);
alter table "pricedates_no_market" add constraint "pricedates_no_market_holder_id_fkey" foreign key ("holder_id") references "pricedates" on delete cascade;
alter table "pricedates_no_market" add constraint "pricedates_no_market_target_id_fkey" foreign key ("target_id") references "districts" on delete cascade;
create index "pricedates_no_market_target_id_idx" on "pricedates_no_market" ("target_id");

-- The usual price of a product in a region or in the country is looked for day by day, newest first (decision 35).
create index "pricelists_product_day_idx" on "pricelists" ("product_id", "pricedate_id", "market_type");
