-- rolling-update: yes
-- 0060-price-cells: reports find the cells of the price grid, and the last price of each, without reading all prices.

create index pricelists_cell_idx on pricelists (product_id, district_id, market_type, pricedate_id)
  where price is not null and origin <> 'carried';
