"""The tables as typed data: JSON, Parquet, SQLite, spreadsheets."""
