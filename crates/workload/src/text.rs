//! Reading a table of flow sizes.

use crate::error::WorkloadError;
use crate::sizes::{MAX_SIZE, ONE, Point, draws};

/// The points of a two-column text; see `SizeDistribution::from_text`.
pub(crate) fn points(name: &str, text: &str) -> Result<Vec<Point>, WorkloadError> {
    let mut points: Vec<Point> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let place = Place {
            name,
            line: index + 1,
            content,
        };
        let point = place.read()?;
        place.follow(points.last(), point)?;
        points.push(point);
    }
    let last = points.last().map_or(0, |point| point.upto);
    if last != ONE {
        return Err(WorkloadError::new(
            format!("{name} last cumulative probability"),
            last as f64 / ONE as f64,
            "the last point must have cumulative probability 1",
            "add the largest size with probability 1 (percentages must be divided by 100)",
        ));
    }
    Ok(points)
}

struct Place<'a> {
    name: &'a str,
    line: usize,
    content: &'a str,
}

impl Place<'_> {
    fn error(&self, why: &str, remedy: &str) -> WorkloadError {
        let field = format!("{} line {}", self.name, self.line);
        WorkloadError::new(field, format!("{:?}", self.content), why, remedy)
    }

    fn read(&self) -> Result<Point, WorkloadError> {
        let columns: Vec<&str> = self.content.split_whitespace().collect();
        let [size, probability] = columns[..] else {
            return Err(self.error(
                "a line has two columns",
                "write the size in bytes and the cumulative probability",
            ));
        };
        let size: u64 = size
            .parse()
            .ok()
            .filter(|&s| s <= MAX_SIZE)
            .ok_or_else(|| {
                self.error(
                    "the first column must be a whole number of bytes, at most 10^15",
                    "write the size in bytes without a unit",
                )
            })?;
        let probability: Option<f64> = probability.parse().ok();
        let probability = probability
            .filter(|p| (0.0..=1.0).contains(p))
            .ok_or_else(|| {
                self.error(
                    "the second column must be a probability from 0 to 1",
                    "write the cumulative probability as a fraction (divide percentages by 100)",
                )
            })?;
        Ok(Point {
            size,
            upto: draws(probability),
        })
    }

    fn follow(&self, before: Option<&Point>, point: Point) -> Result<(), WorkloadError> {
        let Some(&before) = before else {
            if point.size == 0 && point.upto > 0 {
                return Err(self.error(
                    "flows of 0 bytes can't be sent",
                    "start with \"0 0\", or with the smallest real size",
                ));
            }
            return Ok(());
        };
        if point.size < before.size || point.upto < before.upto {
            return Err(self.error(
                "sizes and probabilities must not fall from line to line",
                "sort the lines by size and check the probabilities",
            ));
        }
        if point == before {
            return Err(self.error("it repeats the line before", "remove it"));
        }
        if point.size == 0 {
            return Err(self.error(
                "flows of 0 bytes can't be sent",
                "give this probability to a size of at least 1",
            ));
        }
        Ok(())
    }
}
